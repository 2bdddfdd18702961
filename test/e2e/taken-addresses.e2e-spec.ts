import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { KeyVault } from '../../src/vault/index.js';
import type { TestApp } from '../support/app.js';
import { bringKey } from '../support/imported-key.js';
import { rowsOf } from '../support/rows.js';
import { sharedTestApp } from '../support/shared-app.js';
import { newStamper, type Stamper } from '../support/stamper.js';
import { accountsOf, openEntropy, storedSeeds } from '../support/wallet-keys.js';
import { newEmail, World, type SignedIn } from '../support/world.js';

interface WalletJson {
  id: string;
  chain: string;
  publicKey: string;
  properties: { keyvaultPrivateKeyId?: string };
}
interface Answer {
  code?: string;
  payload?: { chains: string[] };
  user: { wallets: WalletJson[] };
}
interface Person extends SignedIn {
  key: Stamper;
}

const CALLERS = 50;

// Keys leave by an export and come back by an import, whoever has them then. The seed goes on giving their addresses.
describe('the address of an account', () => {
  let test: TestApp;
  let world: World;

  beforeAll(async () => {
    test = await sharedTestApp();
    world = await World.create(test);
  });
  afterAll(() => test.close());

  const path = (rest = ''): string => world.sdk(`/users/embeddedWallets${rest}`);
  const someone = async (): Promise<Person> => {
    const key = newStamper();
    return { ...(await world.signIn(newEmail(), { sessionPublicKey: key.publicKey })), key };
  };
  const prepare = ({ userId }: SignedIn, chains: string[]) =>
    world.api.post<Answer>(world.path('/embeddedWallets'), { identifier: userId, type: 'id', chains });
  const makeOwn = ({ jwt: token }: SignedIn, chains: string[]) =>
    world.anonymous.post<Answer>(
      path(),
      { embeddedWallets: [{ embeddedWalletProvider: 'keyvaulthd', chains }] },
      { token },
    );
  const addAccount = async ({ jwt: token, key }: Person, chain: string) => {
    const asked = await world.anonymous.get(path(`/walletAccounts/createRequest?chain=${chain}`), {
      token,
      expect: 200,
    });
    const keyvaultSignedRequest = key.stamp(asked.body);
    return world.anonymous.post<Answer>(path('/walletAccounts'), { keyvaultSignedRequest }, { token });
  };
  const walletsOf = async ({ userId }: SignedIn) =>
    (await world.api.get<{ wallets: WalletJson[] }>(world.path(`/users/${userId}/wallets`))).body.wallets;
  const chainsOf = async (person: SignedIn) => (await walletsOf(person)).map(({ chain }) => chain).sort();
  /** What the ledger says was made of the keys, in its order. */
  const madeOf = async ({ userId }: SignedIn) =>
    rowsOf<{ accounts: { chain: string; address: string }[]; digest: Buffer }>(
      test,
      `SELECT subject->'accounts' AS accounts, digest FROM key_ledger
       WHERE environment_id = $1 AND user_id = $2 AND operation IN ('create', 'derive') ORDER BY sequence`,
      [world.environmentId, userId],
    );
  const digestOf = async (person: SignedIn, chain: string) => {
    const sql = 'SELECT public_key AS key FROM wallets WHERE user_id = $1 AND chain = $2';
    const [row] = await rowsOf<{ key: string }>(test, sql, [person.userId, chain]);
    return createHash('sha256').update(row!.key).digest();
  };

  /** Somebody whose wallet on EVM was exported and deleted, with its key. The seed is that of another wallet, too. */
  const withoutEvm = async (others = ['SOL']) => {
    const person = await someone();
    expect((await prepare(person, ['EVM', ...others])).status).toBe(201);
    const evm = (await walletsOf(person)).find(({ chain }) => chain === 'EVM')!;
    const [seed] = await storedSeeds(test.databaseUrl, person.userId);
    const accounts = await accountsOf(await openEntropy(test.app.get(KeyVault), seed!));
    const { privateKey, address } = accounts.find(({ chain }) => chain === 'EVM')!;
    expect(address).toBe(evm.publicKey);
    await world.api.delete(world.path(`/wallets/${evm.id}`), { expect: 204 });
    return { person, privateKey, address };
  };

  describe('that another user has imported', () => {
    const takenFrom = async (others?: string[]) => {
      const { person, privateKey } = await withoutEvm(others);
      const other = await someone();
      expect((await bringKey(world, other, privateKey)).status).toBe(201);
      return { person, other };
    };
    const TAKEN = { status: 409, body: { code: 'wallet_address_taken', payload: { chains: ['EVM'] } } };

    it('is refused to whoever makes the wallet, and nothing else is made or written down', async () => {
      const { person } = await takenFrom();
      const before = await madeOf(person);
      expect(await prepare(person, ['EVM', 'BTC'])).toMatchObject(TAKEN);
      expect(await prepare(person, ['EVM'])).toMatchObject(TAKEN);
      expect([await chainsOf(person), await madeOf(person)]).toEqual([['SOL'], before]);
      expect((await prepare(person, ['BTC'])).status).toBe(201);
      expect(await chainsOf(person)).toEqual(['BTC', 'SOL']);
    });

    it('is refused to all who ask at once', async () => {
      const { person } = await takenFrom();
      const answers = await Promise.all(Array.from({ length: CALLERS }, () => prepare(person, ['EVM', 'BTC'])));
      expect(new Set(answers.map(({ status, body }) => `${status} ${body.code}`))).toEqual(
        new Set(['409 wallet_address_taken']),
      );
      expect(await chainsOf(person)).toEqual(['SOL']);
    });

    it('is refused to its user, who makes wallets or adds an account', async () => {
      const { person } = await takenFrom();
      expect(await addAccount(person, 'EVM')).toMatchObject(TAKEN);
      const { person: bare } = await takenFrom([]);
      expect(await makeOwn(bare, ['EVM', 'BTC'])).toMatchObject(TAKEN);
      expect(await walletsOf(bare)).toEqual([]);
    });

    it('is free again once that wallet is deleted', async () => {
      const { person, other } = await takenFrom();
      const [imported] = await walletsOf(other);
      await world.api.delete(world.path(`/wallets/${imported!.id}`), { expect: 204 });
      expect((await prepare(person, ['EVM'])).status).toBe(201);
      expect(await chainsOf(person)).toEqual(['EVM', 'SOL']);
    });
  });

  // It is the wallet that is asked for: the same address by the same key.
  describe('whose key the same user has imported', () => {
    const broughtBack = async (others?: string[]) => {
      const { person, privateKey, address } = await withoutEvm(others);
      expect((await bringKey(world, person, privateKey)).status).toBe(201);
      return { person, address };
    };

    it('is there: the wallets beside it are made, and those alone are in the ledger', async () => {
      const { person, address } = await broughtBack();
      const before = await madeOf(person);
      const made = await prepare(person, ['EVM', 'BTC']);
      expect(made.status).toBe(201);
      expect(made.body.user.wallets.find(({ chain }) => chain === 'EVM')).toMatchObject({
        publicKey: address,
        properties: { keyvaultPrivateKeyId: expect.any(String) },
      });
      const [row, ...others] = (await madeOf(person)).slice(before.length);
      expect([row!.accounts.map(({ chain }) => chain), others]).toEqual([['BTC'], []]);
      expect(row!.digest).toEqual(await digestOf(person, 'BTC'));
      const again = await Promise.all(Array.from({ length: CALLERS }, () => prepare(person, ['EVM', 'BTC'])));
      expect(new Set(again.map(({ status }) => status))).toEqual(new Set([200]));
      expect(await chainsOf(person)).toEqual(['BTC', 'EVM', 'SOL']);
      expect(await madeOf(person)).toHaveLength(before.length + 1);
    });

    it('is there for its user as well, who is told so', async () => {
      const { person } = await broughtBack();
      const added = await addAccount(person, 'EVM');
      expect([added.status, added.body.code]).toEqual([422, 'wallet_account_exists_for_chain']);
      const { person: bare } = await broughtBack([]);
      const made = await makeOwn(bare, ['EVM']);
      expect([made.status, made.body.code]).toEqual([422, 'linked_embedded_wallet']);
      expect((await makeOwn(bare, ['EVM', 'BTC'])).status).toBe(201);
      expect(await chainsOf(bare)).toEqual(['BTC', 'EVM']);
    });
  });

  it(`is written down by the one of ${CALLERS} requests that makes the wallet`, async () => {
    const person = await someone();
    const wanted = [['EVM', 'SOL'], ['SOL', 'SUI'], ['BTC', 'EVM'], ['SUI']];
    const answers = await Promise.all(
      Array.from({ length: CALLERS }, (_, at) => prepare(person, wanted[at % wanted.length]!)),
    );
    expect(answers.every(({ status }) => status === 200 || status === 201)).toBe(true);
    const rows = await madeOf(person);
    expect(rows.flatMap(({ accounts }) => accounts.map(({ chain }) => chain)).sort()).toEqual(await chainsOf(person));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(rows.length);
  });
});
