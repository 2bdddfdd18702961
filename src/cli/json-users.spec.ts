import { describe, expect, it } from '@jest/globals';
import { jsonObjects } from './json-users.js';

async function* inPieces(text: string, length: number): AsyncGenerator<string> {
  for (let at = 0; at < text.length; at += length) yield await Promise.resolve(text.slice(at, at + length));
}
const read = async (text: string, length = 3): Promise<unknown[]> => {
  const found: unknown[] = [];
  for await (const one of jsonObjects(inPieces(text, length))) found.push(one);
  return found;
};

const USERS = [{ a: 'x}"]\\' }, { b: { users: [1, { c: '{' }] } }, { d: [] }];

describe('users of a JSON text', () => {
  it.each([
    ['in a list', JSON.stringify(USERS)],
    ['in a list with spaces, behind a mark of byte order', `\uFEFF ${JSON.stringify(USERS, null, 2)}\n`],
    ['one behind the other', USERS.map((one) => JSON.stringify(one)).join('\n')],
    [
      'in the list of an object',
      JSON.stringify({ realm: 'r', roles: { realm: [{ id: 1 }] }, users: USERS, clients: [{}] }),
    ],
    ['in the list of an object, with spaces', JSON.stringify({ Users: USERS, NextToken: 'x' }, null, 2)],
  ])('are read one by one, %s', async (_, text) => {
    for (const length of [1, 7, 10_000]) expect(await read(text, length)).toEqual(USERS);
  });

  it.each([
    ['cut off in an object', '[{"a":1},{"b'],
    ['a text', '"users"'],
    ['a number in the list', '[{"a":1}, 7]'],
    ['no JSON in an object', '[{a}]'],
  ])('are refused where they are %s', async (_, text) => {
    await expect(read(text)).rejects.toThrow(SyntaxError);
  });

  it('are none where there are none', async () => {
    expect(await read('[]')).toEqual([]);
    expect(await read('{"users":[]}')).toEqual([]);
    expect(await read('')).toEqual([]);
  });
});
