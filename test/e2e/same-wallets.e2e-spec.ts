import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { normalAddress } from '../../src/common/addresses/normal-address.js';
import { DuplicateMerges, namespaceOf } from '../../src/identity/index.js';
import type { TestApp } from '../support/app.js';
import { rowsOf } from '../support/rows.js';
import { sharedTestApp } from '../support/shared-app.js';
import { SPELLED_ADDRESSES } from '../support/spelled-addresses.js';
import { newEmail, World } from '../support/world.js';

interface Made {
  user: { id: string; wallets: { id: string }[] };
}
interface Refused {
  code?: string;
}

const SUI = `0x0${'ab'.repeat(31)}c`;
const SAME: [chain: string, one: string, two: string][] = [
  ['SUI', SUI, `0x${SUI.slice(3).toUpperCase()}`],
  ['TRON', 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t', '41A614F803B6FD780986A42C78EC9C7F77E6DED13C'],
  ['COSMOS', 'osmo1fl48vsnmsdzcv85q5d2q4z5ajdha8yu3aq6l09', 'OSMO1FL48VSNMSDZCV85Q5D2Q4Z5AJDHA8YU3AQ6L09'],
];

let test: TestApp;
let world: World;

beforeAll(async () => {
  test = await sharedTestApp();
  world = await World.create(test);
});
afterAll(() => test.close());

const wallet = (chain: string, publicWalletAddress: string) => ({
  ...{ chain, publicWalletAddress, walletName: 'Own', walletProvider: 'browserExtension' },
});
const create = <T = Made>(...wallets: object[]) =>
  world.api.post<T>(world.path('/users'), { email: newEmail(), wallets });

describe.each(SAME)('a wallet of %s', (chain, one, two) => {
  it('belongs to a user once, in whichever spelling it is attached', async () => {
    const { status, body } = await create(wallet(chain, one));
    expect(status).toBe(201);
    const more = await world.api.post<Refused>(world.path(`/users/${body.user.id}/wallets`), wallet(chain, two));
    expect([more.status, more.body.code]).toEqual([422, 'duplicate_exists']);
  });

  it('takes its proof along when it is deleted, in whichever spelling it is stored', async () => {
    const { body } = await create(wallet(chain, two));
    const identifier = `${chain.toLowerCase()}:${one}`;
    await rowsOf(
      test,
      `INSERT INTO identifier_claims (environment_id, kind, identifier, user_id, proven_at)
       VALUES ($1, 'wallet', $2, $3, now())`,
      [world.environmentId, identifier, body.user.id],
    );
    await world.api.delete(`/wallets/${body.user.wallets[0]!.id}`, { expect: 204 });
    const left = await rowsOf(test, 'SELECT FROM identifier_claims WHERE environment_id = $1 AND identifier = $2', [
      world.environmentId,
      identifier,
    ]);
    expect(left).toEqual([]);
  });
});

it('is told from others in the database by the same rule', async () => {
  const asked = Object.entries(SPELLED_ADDRESSES).flatMap(([chain, spellings]) =>
    [...spellings.flat(), '', '0x', 'nobody', `0x${'0'.repeat(64)}`, `0x${'f'.repeat(65)}`].map((address) => ({
      namespace: namespaceOf(chain),
      address,
    })),
  );
  const rows = await rowsOf<{ normal: string }>(
    test,
    `SELECT normal_address(namespace, address) AS normal
     FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS asked (namespace, address, place) ORDER BY place`,
    [asked.map(({ namespace }) => namespace), asked.map(({ address }) => address)],
  );
  expect(rows.map(({ normal }) => normal)).toEqual(
    asked.map(({ namespace, address }) => normalAddress(namespace, address)),
  );
});

it('is found by operators where two users have it, and another of the same letters is not', async () => {
  const sui = `0x0${'cd'.repeat(31)}e`;
  const solana = 'So11111111111111111111111111111111111111112';
  const made = [
    await create(wallet('SOL', solana)),
    await create(wallet('SUI', sui), wallet('SOL', solana.toLowerCase())),
    await create(wallet('SUI', `0x${sui.slice(3).toUpperCase()}`), wallet('APTOS', sui)),
  ];
  const ids = made.map(({ body }) => body.user.id);
  const found = await test.app.get(DuplicateMerges).list(world.environmentId);
  const among = found.filter(({ userIds }) => ids.some((id) => userIds.includes(id)));
  expect(among).toEqual([{ format: 'blockchain', identifier: `sui:${sui}`, userIds: ids.slice(1).toSorted() }]);
});
