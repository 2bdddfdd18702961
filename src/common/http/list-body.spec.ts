import 'reflect-metadata';
import { describe, expect, it } from '@jest/globals';
import { ApiError } from '../errors/index.js';
import { StringField } from '../fields/index.js';
import { ItemsPipe } from './list-body.js';

class Item {
  @StringField({ max: 3 })
  name!: string;
}

const pipe = new ItemsPipe(Item, { min: 1, max: 3 });

async function refusal(body: unknown): Promise<string | undefined> {
  const error = await pipe.transform(body).catch((caught: unknown) => caught);
  if (!(error instanceof ApiError)) throw error;
  expect(error.status).toBe(400);
  return (error.details.payload as { fields: { field: string }[] }).fields[0]?.field;
}

describe('a body that is a list', () => {
  it('becomes objects of its class', async () => {
    const items = await pipe.transform([{ name: 'a' }, { name: 'b' }]);
    expect(items).toEqual([{ name: 'a' }, { name: 'b' }]);
    expect(items.every((item) => item instanceof Item)).toBe(true);
  });

  it.each([[[]], [[{}, {}, {}, {}]], [{ 0: { name: 'a' }, length: 1 }], [null], [undefined], ['[]']])(
    '%j has the wrong form',
    async (body) => {
      expect(await refusal(body)).toBe('body');
    },
  );

  it.each([
    [[{ name: 'a' }, { name: 'long' }], '1.name'],
    [[{ name: 'a', other: 1 }], '0.other'],
    [[{ name: 'a' }, {}], '1.name'],
    [[{ name: 'a' }, null], '1'],
    [['{"name":"a"}'], '0'],
    [[[{ name: 'a' }]], '0'],
  ])('%j is refused at %s', async (body, field) => {
    expect(await refusal(body)).toBe(field);
  });
});
