import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { TestApp } from '../support/app.js';
import { sharedTestApp } from '../support/shared-app.js';
import { World } from '../support/world.js';

const ROUNDS = 50;

let test: TestApp;
let world: World;

beforeAll(async () => {
  test = await sharedTestApp();
  world = await World.create(test);
});
afterAll(() => test.close());

const address = { networkId: 1, contractAddress: '0x0000000000000000000000000000000000000000' };
const list = (name: string) => ({ name, outcome: 'scope', scope: 'vip' });
const gate = (name: string) => ({ ...list(name), rules: [{ type: 'token', address }] });

it.each([
  ['allowlists', () => world.path('/allowlists'), '/allowlists', list, 'allowlist_already_exists'],
  ['gates', () => world.path('/gates'), null, gate, 'gate_exists'],
])('%s that are given each other’s names at once are refused, and do not deadlock', async (_, all, one, body, code) => {
  const paths: string[] = [];
  for (const name of ['First', 'Second']) {
    const made = await world.api.post<{ id: string }>(all(), body(name), { expect: 201 });
    paths.push(`${one ?? all()}/${made.body.id}`);
  }
  const names = ['Second', 'First'];
  for (let round = 0; round < ROUNDS; round += 1) {
    const answers = await Promise.all(paths.map((path, at) => world.api.put<{ code: string }>(path, body(names[at]!))));
    expect(answers.map((answer) => [answer.status, answer.body.code])).toEqual([
      [422, code],
      [422, code],
    ]);
  }
});
