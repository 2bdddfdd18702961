import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { UnitOfWork, wasUnmet, type EnvironmentId } from '../../src/database/index.js';
import { WalletUpgradesRepository } from '../../src/wallets/making/wallet-upgrades.repository.js';
import { HeldWalletsRepository } from '../../src/wallets/signing/held-wallets.repository.js';
import type { TestApp } from '../support/app.js';
import { withClient } from '../support/postgres.js';
import { sharedTestApp } from '../support/shared-app.js';
import { rowsOf } from '../support/rows.js';
import { newEmail, World } from '../support/world.js';

interface Columns {
  userId?: string;
  environmentId?: string;
  kind?: string;
  chain?: string;
  address?: string;
  version?: string;
  keysId?: string;
  dealtKeysId?: string | null;
  upgradedFrom?: string | null;
  isClaimed?: boolean;
  isHidden?: boolean;
}

let test: TestApp;
let world: World;
let elsewhere: EnvironmentId;
let userId: string;
let stranger: string;
let held: HeldWalletsRepository;
let upgrades: WalletUpgradesRepository;

beforeAll(async () => {
  test = await sharedTestApp();
  world = await World.create(test);
  elsewhere = world.ids.environments.live;
  held = test.app.get(HeldWalletsRepository, { strict: false });
  upgrades = test.app.get(WalletUpgradesRepository, { strict: false });
});
beforeEach(async () => {
  [userId, stranger] = await Promise.all([someone(), someone()]);
});
afterAll(() => test.close());

async function someone(): Promise<string> {
  const { body } = await world.api.post<{ user: { id: string } }>(
    world.path('/users'),
    { email: newEmail() },
    { expect: 201 },
  );
  return body.user.id;
}

/** An embedded wallet of the user that is claimed and shown, but for what is given. */
async function walletWith(columns: Columns = {}): Promise<{ walletId: string; keysId: string }> {
  const [walletId, keysId] = [randomUUID(), columns.keysId ?? randomUUID()];
  const { kind = 'embedded', chain = 'SOL', address = walletId, version = 'V1', isClaimed = true } = columns;
  await rowsOf(
    test,
    `INSERT INTO wallets (environment_id, id, user_id, kind, name, chain, address, provider, seed_id, version,
       dealt_keys_id, upgraded_from, claimed_at, deleted_at)
     VALUES ($1, $2, $3, $4, 'W', $5, $6, 'turnkey', $7, $8, $9, $10, CASE WHEN $11 THEN now() END, CASE WHEN $12 THEN now() END)`,
    [
      ...[
        columns.environmentId ?? world.environmentId,
        walletId,
        columns.userId ?? userId,
        kind,
        chain,
        address,
        keysId,
      ],
      ...[version, columns.dealtKeysId ?? null, columns.upgradedFrom ?? null, isClaimed, columns.isHidden ?? false],
    ],
  );
  return { walletId, keysId };
}

const inWork = <T>(work: Parameters<UnitOfWork['run']>[0]): Promise<T> =>
  test.app.get(UnitOfWork).run(work) as Promise<T>;

const holdsAll = (wallets: Parameters<HeldWalletsRepository['holdAll']>[1], at = world.environmentId) =>
  inWork(async (tx) => held.holdAll(at, wallets, tx)).then(
    () => true,
    (error: unknown) => {
      if (!wasUnmet(error)) throw error;
      return false;
    },
  );

describe('an embedded wallet whose keys are to be used', () => {
  it('is found with its user alone, while it is not hidden', async () => {
    const [{ walletId }, hidden] = [await walletWith(), await walletWith({ isHidden: true })];
    const external = await walletWith({ kind: 'external' });
    const found = async (environmentId: EnvironmentId, user: string, id: string) => [
      (await held.find(environmentId, user, id))?.walletId,
      (await held.findOfAnyone(environmentId, id))?.walletId,
    ];
    expect(await found(world.environmentId, userId, walletId)).toEqual([walletId, walletId]);
    expect(await found(world.environmentId, stranger, walletId)).toEqual([undefined, walletId]);
    expect(await found(elsewhere, userId, walletId)).toEqual([undefined, undefined]);
    for (const { walletId: other } of [hidden, external]) {
      expect(await found(world.environmentId, userId, other)).toEqual([undefined, undefined]);
    }
    expect(await held.findOfAnyone(world.environmentId, walletId)).toMatchObject({ userId });
  });

  it('is found by its address, as its chain compares addresses, hidden or not', async () => {
    const [evm, solana] = [`0xAb${randomUUID().replaceAll('-', '')}`, `Ab${randomUUID()}`];
    await walletWith({ chain: 'EVM', address: evm, isHidden: true });
    await walletWith({ address: solana });
    await walletWith({ chain: 'SUI', address: `${solana}x`, kind: 'external' });
    const userOf = (address: string, chains = ['EVM'], at = world.environmentId) =>
      held.findUserOf(at, { identifier: address, spellings: [address], chains });
    expect(await userOf(evm)).toBe(userId);
    expect(await userOf(evm.toLowerCase())).toBe(userId);
    expect(await userOf(solana, ['SOL'])).toBe(userId);
    // Of a chain whose addresses have a case, the spelling that is asked for is the whole address.
    expect(await userOf(solana.toUpperCase(), ['SOL'])).toBeNull();
    expect(await userOf(solana, ['SUI', 'EVM'])).toBeNull();
    expect(await userOf(`${solana}x`, ['SUI'])).toBeNull();
    expect(await userOf(evm, ['EVM'], elsewhere)).toBeNull();
  });

  it('is held by whoever names its keys, or those that were dealt to replace them, unless it is hidden', async () => {
    const dealt = randomUUID();
    const wallet = await walletWith({ dealtKeysId: dealt });
    const hidden = await walletWith({ isHidden: true });
    const other = await walletWith();
    // One after the other: each would wait for another's lock, or pass over it.
    const isHeld = async (userOfIt: string, named: typeof wallet, at = world.environmentId) => [
      await inWork<boolean>((tx) => held.hold(at, userOfIt, named, tx)),
      await inWork<boolean>((tx) => held.holdAlone(at, userOfIt, named, tx)),
      await holdsAll([{ userId: userOfIt, ...named }], at),
    ];
    const [yes, no] = [
      [true, true, true],
      [false, false, false],
    ];
    expect(await isHeld(userId, wallet)).toEqual(yes);
    expect(await isHeld(userId, { ...wallet, keysId: dealt })).toEqual(yes);
    expect(await isHeld(userId, { ...wallet, keysId: other.keysId })).toEqual(no);
    expect(await isHeld(userId, hidden)).toEqual(no);
    expect(await isHeld(stranger, wallet)).toEqual(no);
    expect(await isHeld(userId, wallet, elsewhere)).toEqual(no);
  });

  it('is held together with others, all or none of them', async () => {
    const [one, other, hidden] = [await walletWith(), await walletWith(), await walletWith({ isHidden: true })];
    const of = (...wallets: (typeof one)[]) => wallets.map((wallet) => ({ userId, ...wallet }));
    expect(await holdsAll(of(one, other, one))).toBe(true);
    expect(await holdsAll(of(one, hidden, other))).toBe(false);
    expect(await holdsAll([...of(one), { userId: stranger, ...other }])).toBe(false);
    expect(await holdsAll(of(one, { ...other, keysId: one.keysId }))).toBe(false);
    // What is sent behind a hold that failed is not committed.
    const renamed = inWork(async (tx) => {
      held.holdAll(world.environmentId, of(one, hidden), tx);
      tx.send(`UPDATE wallets SET name = 'no' WHERE id = '${one.walletId}'`);
    });
    await expect(renamed).rejects.toThrow();
    expect(await rowsOf(test, 'SELECT name FROM wallets WHERE id = $1', [one.walletId])).toEqual([{ name: 'W' }]);
  });

  it('is not waited for by whoever holds several at once', async () => {
    const [changed, free] = [await walletWith(), await walletWith()];
    await withClient(test.databaseUrl, async (client) => {
      await client.query('BEGIN');
      await client.query('SELECT FROM wallets WHERE id = $1 FOR UPDATE', [changed.walletId]);
      try {
        const both = [changed, free].map((one) => ({ userId, ...one }));
        expect([await holdsAll(both), await holdsAll(both.slice(1))]).toEqual([false, true]);
      } finally {
        await client.query('ROLLBACK');
      }
    });
  });
});

describe('a wallet that is to have a shared key', () => {
  const listed = async (environmentId = world.environmentId, of = userId) =>
    (await upgrades.list(environmentId, of)).map(({ walletId, isBound }) => [walletId, isBound]);
  const begin = (wallet: { walletId: string; keysId: string }, of = userId, at = world.environmentId) =>
    inWork<boolean>((tx) => upgrades.begin(at, { userId: of, ...wallet }, tx));
  const complete = (wallet: { walletId: string; keysId: string }, of = userId, at = world.environmentId) =>
    inWork<string | null>((tx) => upgrades.complete(at, { userId: of, ...wallet }, tx));

  it('is embedded, of the first version, on a chain whose keys can be shared, claimed and not hidden', async () => {
    const { walletId } = await walletWith();
    await walletWith({ kind: 'external' });
    await walletWith({ version: 'V3' });
    await walletWith({ chain: 'EVM' });
    await walletWith({ isClaimed: false });
    await walletWith({ isHidden: true });
    await walletWith({ userId: stranger });
    expect(await listed()).toEqual([[walletId, false]]);
    expect(await listed(elsewhere)).toEqual([]);
  });

  it.each<[string, Columns]>([
    ['of another chain', { chain: 'EVM' }],
    ['not claimed', { chain: 'SUI', isClaimed: false }],
    ['hidden', { chain: 'SUI', isHidden: true }],
  ])('is bound by a wallet of the same keys that is %s, not by one of other keys', async (_, columns) => {
    const { walletId, keysId } = await walletWith();
    await walletWith(columns);
    expect(await listed()).toContainEqual([walletId, false]);
    const binding = await walletWith({ ...columns, keysId });
    expect(await listed()).toContainEqual([walletId, true]);
    await rowsOf(test, "UPDATE wallets SET version = 'V3' WHERE id = $1", [binding.walletId]);
    expect(await listed()).toContainEqual([walletId, false]);
  });

  it('gets shares once, while it is claimed and shown and its service has the key', async () => {
    const dealt = randomUUID();
    const { walletId } = await walletWith();
    expect(await begin({ walletId, keysId: dealt }, stranger)).toBe(false);
    expect(await begin({ walletId, keysId: dealt }, userId, elsewhere)).toBe(false);
    expect(await begin({ walletId, keysId: dealt })).toBe(true);
    expect(await begin({ walletId, keysId: randomUUID() })).toBe(false);
    expect(await rowsOf(test, 'SELECT dealt_keys_id AS dealt FROM wallets WHERE id = $1', [walletId])).toEqual([
      { dealt },
    ]);
    for (const columns of [{ isClaimed: false }, { isHidden: true }, { version: 'V3' }]) {
      const other = await walletWith(columns);
      expect([columns, await begin({ walletId: other.walletId, keysId: randomUUID() })]).toEqual([columns, false]);
    }
  });

  it('has them from the refresh of the very shares that were dealt to it, unless it is hidden by then', async () => {
    const dealt = randomUUID();
    const { walletId, keysId } = await walletWith({ dealtKeysId: dealt });
    expect(await complete({ walletId, keysId: randomUUID() })).toBeNull();
    expect(await complete({ walletId, keysId: dealt }, stranger)).toBeNull();
    expect(await complete({ walletId, keysId: dealt }, userId, elsewhere)).toBeNull();
    for (const columns of [{ isHidden: true }, { version: 'V3' }]) {
      const other = await walletWith({ ...columns, dealtKeysId: dealt });
      expect([columns, await complete({ ...other, keysId: dealt })]).toEqual([columns, null]);
    }
    expect(await complete({ walletId, keysId: dealt })).toBe(keysId);
    expect(await complete({ walletId, keysId: dealt })).toBeNull();
  });

  it('leaves its keys to the other wallets of its user that have them', async () => {
    const { keysId } = await walletWith({ dealtKeysId: randomUUID() });
    await walletWith({ keysId, isHidden: true });
    await walletWith({ keysId, kind: 'external' });
    await walletWith({ keysId, userId: stranger });
    const left = (at = world.environmentId) => inWork((tx) => upgrades.countLeft(at, userId, keysId, tx));
    expect(await left()).toEqual({ left: 2, bound: 1 });
    expect(await left(elsewhere)).toEqual({ left: 0, bound: 0 });
    const areShared = (of: string, at = world.environmentId) =>
      inWork<boolean>((tx) => upgrades.areShared(at, of, keysId, tx));
    expect(await areShared(userId)).toBe(false);
    await walletWith({ version: 'V3', upgradedFrom: keysId });
    expect([await areShared(userId), await areShared(stranger), await areShared(userId, elsewhere)]).toEqual([
      ...[true, false, false],
    ]);
  });
});
