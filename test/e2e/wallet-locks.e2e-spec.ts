import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { LedgerVerifier } from '../../src/custody/index.js';
import type { TestApp } from '../support/app.js';
import { sessionsWaiting } from '../support/lock-waits.js';
import { withClient } from '../support/postgres.js';
import { rowsOf } from '../support/rows.js';
import { eventually } from '../support/receiver.js';
import { sharedTestApp } from '../support/shared-app.js';
import { Device } from '../support/shared-wallet.js';
import { newStamper, type Stamped } from '../support/stamper.js';
import { newEmail, World, type SignedIn } from '../support/world.js';

const PAIRS = 50;

interface Owner extends SignedIn {
  walletId: string;
  /** The request that deletes the wallet, as it was signed. */
  deletion: Stamped;
}

// Locks are taken in one order: users, their wallets by their ids, and then what belongs to a wallet.
describe('calls about one wallet at once', () => {
  let test: TestApp;
  let world: World;

  beforeAll(async () => {
    test = await sharedTestApp();
    world = await World.create(test);
  });
  afterAll(() => test.close());

  const path = (rest = ''): string => world.sdk(`/users/embeddedWallets${rest}`);
  const someone = async (): Promise<Owner> => {
    const key = newStamper();
    const person = await world.signIn(newEmail(), { sessionPublicKey: key.publicKey });
    const embeddedWallets = [{ embeddedWalletProvider: 'keyvaulthd', chains: ['EVM', 'SOL'] }];
    await world.anonymous.post(path(), { embeddedWallets }, { token: person.jwt, expect: 201 });
    const { body } = await world.api.get<{ wallets: { id: string }[] }>(world.path(`/users/${person.userId}/wallets`));
    const walletId = body.wallets[0]!.id;
    const asked = await world.anonymous.get(path(`/${walletId}/deleteRequest`), { token: person.jwt, expect: 200 });
    return { ...person, walletId, deletion: key.stamp(asked.body) };
  };
  const CALLS = {
    hide: ({ jwt: token, walletId }: Owner) => world.anonymous.delete(path(`/${walletId}/softDelete`), { token }),
    restore: ({ jwt: token, walletId }: Owner) => world.anonymous.put(path(`/${walletId}/restore`), {}, { token }),
    recover: ({ userId }: Owner) => world.api.post(world.path('/wallets/recover'), { userId }),
    select: ({ jwt: token, walletId }: Owner) =>
      world.anonymous.put(world.sdk('/users/wallets/selection'), { walletId }, { token }),
    claim: ({ jwt: token, walletId }: Owner) => world.anonymous.put(path('/passcode/claim'), { walletId }, { token }),
    delete: ({ jwt: token, deletion }: Owner) =>
      world.anonymous.delete(path(), { token, body: { keyvaultSignedRequest: deletion } }),
    remove: ({ walletId }: Owner) => world.api.delete(world.path(`/wallets/${walletId}`)),
    deleteUser: ({ userId }: Owner) => world.api.delete(world.path(`/users/${userId}`)),
  };
  type Call = keyof typeof CALLS;
  /** The wallet, and whether a credential stands for it. */
  const stateOf = async ({ walletId }: Owner) => {
    const [wallet] = await rowsOf<{ isHidden: boolean; credentials: number }>(
      test,
      `SELECT deleted_at IS NOT NULL AS "isHidden",
         (SELECT count(*)::int FROM credentials c WHERE c.environment_id = w.environment_id AND c.wallet_id = w.id)
           AS credentials
       FROM wallets w WHERE environment_id = $1 AND id = $2`,
      [world.environmentId, walletId],
    );
    if (wallet) expect(wallet.credentials).toBe(wallet.isHidden ? 0 : 1);
    return !wallet ? 'gone' : wallet.isHidden ? 'hidden' : 'there';
  };

  // Either the deletion finds a hidden wallet, which it does not touch, or it deletes the one that is back.
  it(`restore it and delete it, ${PAIRS} times: both are done one after the other, and nothing by half`, async () => {
    const owners: Owner[] = [];
    for (let at = 0; at < PAIRS; at++) owners.push(await someone());
    for (const owner of owners) expect((await CALLS.hide(owner)).status).toBe(204);
    const outcomes = await Promise.all(
      owners.map(async (owner) => {
        const answers = await Promise.all([CALLS.restore(owner), CALLS.delete(owner)]);
        return [...answers.map(({ status }) => status), await stateOf(owner)].join(' ');
      }),
    );
    expect(outcomes.filter((outcome) => !['204 204 gone', '204 404 there'].includes(outcome))).toEqual([]);
    expect((await test.app.get(LedgerVerifier).verify(world.environmentId)).broken).toBeUndefined();
  });

  it(`restore it and delete its user, ${PAIRS} times: no call loses to the other by a deadlock`, async () => {
    const owners: Owner[] = [];
    for (let at = 0; at < PAIRS; at++) owners.push(await someone());
    for (const owner of owners) expect((await CALLS.hide(owner)).status).toBe(204);
    const outcomes = await Promise.all(
      owners.map(async (owner) => {
        const [restored, deleted] = await Promise.all([CALLS.restore(owner), CALLS.deleteUser(owner)]);
        return `${[204, 401, 404].includes(restored.status)} ${deleted.status} ${await stateOf(owner)}`;
      }),
    );
    expect(new Set(outcomes)).toEqual(new Set(['true 204 gone']));
  });

  const isHidden = (call: Call): boolean => call === 'restore' || call === 'recover';
  it.each(Object.keys(CALLS) as Call[])('%s holds no wallet while it waits for the user', async (call) => {
    const owner = await someone();
    if (isHidden(call)) await CALLS.hide(owner);
    await withClient(test.databaseUrl, async (client) => {
      // As far as somebody gets who deletes the user, whose credentials go before the wallets.
      await client.query('BEGIN');
      for (const [table, column] of [
        ['users', 'id'],
        ['credentials', 'user_id'],
      ]) {
        const text = `SELECT FROM ${table} WHERE environment_id = $1 AND ${column} = $2 FOR UPDATE`;
        await client.query(text, [world.environmentId, owner.userId]);
      }
      const calling = CALLS[call](owner);
      try {
        await eventually('the call waits', async () => (await sessionsWaiting(test.databaseUrl)) > 0);
        const wallets = 'SELECT FROM wallets WHERE environment_id = $1 AND user_id = $2 FOR UPDATE NOWAIT';
        const { rowCount } = await client.query(wallets, [world.environmentId, owner.userId]);
        expect(rowCount).toBe(2);
      } finally {
        await client.query('ROLLBACK');
        expect([200, 204]).toContain((await calling).status);
      }
    });
  });

  it('deletes a user after whoever signs with shares of a wallet, which are held behind it', async () => {
    const person = await world.signIn(newEmail());
    const { walletId } = await new Device(world, person.jwt).create('TWO_OF_TWO');
    await withClient(test.databaseUrl, async (client) => {
      await client.query('BEGIN');
      const wallet = 'SELECT FROM wallets WHERE environment_id = $1 AND id = $2 FOR SHARE';
      await client.query(wallet, [world.environmentId, walletId]);
      const deleting = CALLS.deleteUser({ ...person, walletId, deletion: {} as Stamped });
      try {
        await eventually('the deletion waits', async () => (await sessionsWaiting(test.databaseUrl)) > 0);
        const shares = 'SELECT FROM key_share_sets WHERE environment_id = $1 AND user_id = $2 FOR NO KEY UPDATE NOWAIT';
        expect((await client.query(shares, [world.environmentId, person.userId])).rowCount).toBe(1);
      } finally {
        await client.query('ROLLBACK');
        expect((await deleting).status).toBe(204);
      }
    });
  });
});
