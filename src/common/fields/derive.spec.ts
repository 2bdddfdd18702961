import { describe, expect, it } from '@jest/globals';
import type { ArgumentMetadata } from '@nestjs/common';
import { validationPipe } from '../http/validation.pipe.js';
import { OmitOf, PatchOf, PickOf, RefField, StringField, fieldsOf, type FieldClass } from './index.js';

class Part {
  @StringField() name!: string;
}
class Base {
  @StringField() id!: string;
}
class Whole extends Base {
  @StringField({ min: 2 }) name!: string;
  @StringField({ nullable: true }) note!: string | null;
  @RefField(() => Part) part!: Part;
}
class WholePatch extends PatchOf(Whole) {}
class WholeName extends PickOf(Whole, ['name']) {}
class WholeRest extends OmitOf(Whole, ['id', 'part']) {
  @StringField() more!: string;
}

const pipe = validationPipe();
const check = (type: FieldClass, body: object): Promise<unknown> =>
  pipe.transform(body, { type: 'body', metatype: type as ArgumentMetadata['metatype'] }) as Promise<unknown>;
const keysOf = (type: FieldClass): string[] => fieldsOf(type).map(({ key }) => key);

describe('PatchOf', () => {
  it('has every field of its base, inherited ones included', () => {
    expect(keysOf(WholePatch)).toEqual(['id', 'name', 'note', 'part']);
  });

  it('leaves absent fields absent, so that nothing is written over', async () => {
    const patch = (await check(WholePatch, { name: 'ab' })) as object;
    expect(Object.keys(patch)).toEqual(['name']);
    expect('note' in patch).toBe(false);
    expect(Object.keys((await check(WholePatch, {})) as object)).toEqual([]);
  });

  it('takes null only where the base does', async () => {
    expect(await check(WholePatch, { note: null })).toEqual({ note: null });
    await expect(check(WholePatch, { name: null })).rejects.toMatchObject({ code: 'validation_failed' });
    await expect(check(WholePatch, { part: null })).rejects.toMatchObject({ code: 'validation_failed' });
  });

  it('keeps the rules of the base, nested ones included', async () => {
    await expect(check(WholePatch, { name: 'a' })).rejects.toMatchObject({ code: 'validation_failed' });
    await expect(check(WholePatch, { part: {} })).rejects.toMatchObject({ code: 'validation_failed' });
    await expect(check(WholePatch, { other: 1 })).rejects.toMatchObject({ code: 'validation_failed' });
  });

  it('does not loosen its base', async () => {
    await expect(check(Whole, {})).rejects.toMatchObject({ code: 'validation_failed' });
  });
});

describe('PickOf and OmitOf', () => {
  it('keep what they name, or all but that, and can be added to', () => {
    expect(keysOf(WholeName)).toEqual(['name']);
    expect(keysOf(WholeRest)).toEqual(['name', 'note', 'more']);
  });

  it('refuse what is gone and still require what stayed', async () => {
    expect(await check(WholeName, { name: 'ab' })).toEqual({ name: 'ab' });
    await expect(check(WholeName, { name: 'ab', note: 'a' })).rejects.toMatchObject({ code: 'validation_failed' });
    await expect(check(WholeRest, { name: 'ab', note: null })).rejects.toMatchObject({ code: 'validation_failed' });
  });
});
