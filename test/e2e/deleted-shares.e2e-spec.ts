import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { LedgerVerifier } from '../../src/custody/index.js';
import { EnvironmentsPurge } from '../../src/organizations/environments/environments-purge.job.js';
import type { TestApp } from '../support/app.js';
import { sharedTestApp } from '../support/shared-app.js';
import { fillRows, rowsOf } from '../support/rows.js';
import { Device } from '../support/shared-wallet.js';
import { SplitWallets } from '../support/split-wallets.js';
import { newStamper, type Stamped, type Stamper } from '../support/stamper.js';
import { newEmail, World, type SignedIn } from '../support/world.js';

interface Person extends SignedIn {
  key: Stamper;
}
interface LedgerRow {
  operation: string;
  keysId: string;
  actor: { type: string; id: string | null };
  subject: Record<string, unknown>;
  reason: string;
  digest: Buffer | null;
  verdict: string;
}
interface Shared {
  walletId: string;
  keysId: string;
}

const CALLERS = 20;
/** Of each set of shares of an environment. */
const COPIES = 700;

describe('shares of keys that the service deletes', () => {
  let test: TestApp;
  let world: World;
  let split: SplitWallets;

  const path = (rest = ''): string => world.sdk(`/users/embeddedWallets${rest}`);
  const ledgerOf = ({ userId }: SignedIn) =>
    rowsOf<LedgerRow>(
      test,
      `SELECT operation, keys_id AS "keysId", actor, subject, reason, digest, verdict FROM key_ledger
       WHERE environment_id = $1 AND user_id = $2 ORDER BY sequence`,
      [world.environmentId, userId],
    );
  const deletionsOf = async (person: SignedIn) =>
    (await ledgerOf(person)).filter(({ operation }) => operation === 'delete');
  const setsOf = async ({ userId }: SignedIn) =>
    (await rowsOf<{ id: string }>(test, 'SELECT id FROM key_share_sets WHERE user_id = $1', [userId])).map(
      ({ id }) => id,
    );

  const someone = async (): Promise<Person> => {
    const key = newStamper();
    return { ...(await world.signIn(newEmail(), { sessionPublicKey: key.publicKey })), key };
  };
  const makeHeld = ({ jwt }: SignedIn, chain: string) => {
    const embeddedWallets = [{ embeddedWalletProvider: 'keyvaulthd', chains: [chain] }];
    return world.anonymous.post(path(), { embeddedWallets }, { token: jwt, expect: 201 });
  };
  const makers = {
    SHAMIR: (person: SignedIn) => split.make('TWO_OF_TWO', person),
    FROST: (person: SignedIn) => new Device(world, person.jwt).create('TWO_OF_TWO'),
  };
  type Protocol = keyof typeof makers;
  const makeShared = async (protocol: Protocol, person: SignedIn): Promise<Shared> => {
    const { walletId } = await makers[protocol](person);
    const made = (await ledgerOf(person)).find(({ subject }) => subject['walletId'] === walletId)!;
    expect([made.operation, made.subject['protocol']]).toEqual(['create', protocol]);
    return { walletId, keysId: made.keysId };
  };
  const signDeletion = async ({ jwt: token, key }: Person, walletId: string): Promise<Stamped> =>
    key.stamp((await world.anonymous.get(path(`/${walletId}/deleteRequest`), { token, expect: 200 })).body);
  const sendDeletion = ({ jwt: token }: Person, keyvaultSignedRequest: Stamped) =>
    world.anonymous.delete(path(), { token, body: { keyvaultSignedRequest }, expect: 204 });
  const deletedRow = ({ walletId, keysId }: Shared, protocol: Protocol, why: Partial<LedgerRow>) => ({
    operation: 'delete',
    keysId,
    subject: { walletId, protocol, scheme: 'TWO_OF_TWO', graceDays: 0 },
    digest: null,
    verdict: 'allowed',
    ...why,
  });

  beforeAll(async () => {
    test = await sharedTestApp();
    world = await World.create(test);
    split = await SplitWallets.of(world);
  });
  afterAll(() => test.close());

  describe.each<Protocol>(['SHAMIR', 'FROST'])('of a wallet by %s leave a row of the ledger', (protocol) => {
    it('with the wallet that the team deletes, once however often it tries, while the others stay', async () => {
      const person = await someone();
      const [gone, stays] = [await makeShared(protocol, person), await makeShared('SHAMIR', person)];
      const answers = await Promise.all(
        Array.from({ length: CALLERS }, () => world.api.delete(world.path(`/wallets/${gone.walletId}`))),
      );
      expect(answers.map(({ status }) => status).sort()).toEqual([204, ...Array<number>(CALLERS - 1).fill(404)]);
      const rows = await deletionsOf(person);
      const { actor } = rows[0]!;
      expect(rows).toEqual([deletedRow(gone, protocol, { actor, reason: 'the wallet was deleted' })]);
      expect(actor.type).toBe('token');
      expect(await setsOf(person)).toEqual([stays.keysId]);
    });

    it('with the wallet deleted by a user with a seed, which stays', async () => {
      const person = await someone();
      await makeHeld(person, 'EVM');
      const gone = await makeShared(protocol, person);
      await sendDeletion(person, await signDeletion(person, gone.walletId));
      const actor = { type: 'user', id: person.userId, sessionId: person.sessionId };
      const [row, ...others] = await deletionsOf(person);
      const { digest } = row!;
      expect(row).toEqual(deletedRow(gone, protocol, { actor, reason: 'the user deleted the wallets', digest }));
      expect([digest?.length, others, await setsOf(person)]).toEqual([32, [], []]);
    });

    it('with each wallet of a user without a seed, and a request stays valid when the other is deleted', async () => {
      const person = await someone();
      const [one, two] = [await makeShared(protocol, person), await makeShared('SHAMIR', person)];
      const signed = [await signDeletion(person, one.walletId), await signDeletion(person, two.walletId)];
      for (const request of signed) await sendDeletion(person, request);
      const rows = await deletionsOf(person);
      expect(rows.map(({ keysId }) => keysId)).toEqual([one.keysId, two.keysId]);
      expect(new Set(rows.map(({ actor }) => actor.id))).toEqual(new Set([person.userId]));
      expect(await setsOf(person)).toEqual([]);
    });

    it('with the user whom the team deletes: each its own, beside that of the seed', async () => {
      const person = await someone();
      await makeHeld(person, 'EVM');
      const [one, two] = [await makeShared(protocol, person), await makeShared(protocol, person)];
      await world.api.delete(world.path(`/users/${person.userId}`), { expect: 204 });
      const why = { actor: { type: 'system', id: null }, reason: 'the user was deleted' };
      const rows = await deletionsOf(person);
      expect(rows).toHaveLength(3);
      expect(rows).toEqual(
        expect.arrayContaining([
          deletedRow(one, protocol, why),
          deletedRow(two, protocol, why),
          expect.objectContaining({ ...why, subject: { graceDays: 30 } }),
        ]),
      );
      expect(await setsOf(person)).toEqual([]);
    });

    it('with users who erase themselves', async () => {
      const person = await someone();
      const gone = await makeShared(protocol, person);
      await world.anonymous.delete(world.sdk('/users?eraseWallets=true'), { token: person.jwt, expect: 204 });
      const why = { actor: { type: 'system', id: null }, reason: 'the user was erased' };
      expect(await deletionsOf(person)).toEqual([deletedRow(gone, protocol, why)]);
      expect(await setsOf(person)).toEqual([]);
    });
  });

  it('are not a seed to which accounts could be added', async () => {
    const person = await someone();
    await makeShared('FROST', person);
    const at = path('/walletAccounts/createRequest?chain=EVM');
    const { status, body } = await world.anonymous.get<{ code: string }>(at, { token: person.jwt });
    expect([status, body.code]).toEqual([422, 'no_hd_wallet_found']);
  });

  it('leave a row even if they were dealt for an upgrade and not refreshed yet', async () => {
    const person = await someone();
    await makeHeld(person, 'SOL');
    await world.anonymous.post(path('/upgradeToV2'), {}, { token: person.jwt, expect: 201 });
    const dealt = (await ledgerOf(person)).find(({ subject }) => subject['protocol'] === 'FROST')!;
    const gone = { walletId: String(dealt.subject['walletId']), keysId: dealt.keysId };
    await world.api.delete(world.path(`/wallets/${gone.walletId}`), { expect: 204 });
    const rows = (await deletionsOf(person)).map(({ keysId, subject }) => ({ keysId, subject }));
    const { keysId, subject } = deletedRow(gone, 'FROST', {});
    expect(rows).toEqual([{ keysId, subject }]);
    expect(await setsOf(person)).toEqual([]);
  });

  it('and all other keys leave one when their environment is deleted: each key once, and the ledger verifies', async () => {
    const gone = await World.create(test);
    const shared = await SplitWallets.of(gone);
    await shared.make();
    await new Device(gone, shared.owner.jwt).create('TWO_OF_TWO');
    const held = async () => {
      const wallet = { identifier: newEmail(), type: 'email', chains: ['EVM'] };
      const { body } = await gone.api.post<{ user: { id: string } }>(gone.path('/embeddedWallets'), wallet);
      return body.user.id;
    };
    const [departed] = [await held(), await held()];
    await gone.api.delete(gone.path(`/users/${departed}`), { expect: 204 });
    // More than go at once.
    await fillRows(
      test,
      `INSERT INTO key_share_sets (environment_id, id, user_id, scheme, protocol, public_shares, sealed_shares, master_key_id)
       SELECT environment_id, gen_random_uuid(), user_id, scheme, protocol, public_shares, sealed_shares, master_key_id
       FROM key_share_sets, generate_series(1, ${COPIES}) WHERE environment_id = $1`,
      [gone.environmentId],
    );
    const keys = await rowsOf<{ keysId: string }>(
      test,
      `SELECT id AS "keysId" FROM key_share_sets WHERE environment_id = $1
       UNION ALL SELECT id FROM wallet_seeds WHERE environment_id = $1`,
      [gone.environmentId],
    );
    const purge = test.app.get(EnvironmentsPurge);
    await rowsOf(test, "UPDATE environments SET deleted_at = now() - interval '1 minute' WHERE id = $1", [
      gone.environmentId,
    ]);
    // Beside those that instances ring for: of many at once each key is told by one.
    await Promise.all(Array.from({ length: 4 }, () => purge.run()));

    const rows = await rowsOf<LedgerRow & { userId: string }>(
      test,
      `SELECT operation, keys_id AS "keysId", user_id AS "userId", subject, reason FROM key_ledger
       WHERE environment_id = $1 ORDER BY sequence`,
      [gone.environmentId],
    );
    const of = (operation: string) => rows.filter((row) => row.operation === operation);
    const ids = (some: readonly { keysId: string }[]): string[] => some.map(({ keysId }) => keysId).sort();
    expect(ids(keys)).toEqual(expect.arrayContaining(ids(of('create'))));
    expect(keys).toHaveLength(4 + 2 * COPIES);
    expect(ids(of('delete'))).toEqual(ids(keys));
    expect(of('delete').filter(({ reason }) => reason === 'the environment was deleted')).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ subject: { protocol: 'SHAMIR', scheme: 'TWO_OF_TWO', graceDays: 0 } }),
        expect.objectContaining({ subject: { protocol: 'FROST', scheme: 'TWO_OF_TWO', graceDays: 0 } }),
        expect.objectContaining({ subject: { graceDays: 0 } }),
      ]),
    );
    const { count, broken } = await test.app.get(LedgerVerifier).verify(gone.environmentId);
    expect([count, broken]).toEqual([rows.length, undefined]);
    for (const table of ['key_share_sets', 'wallet_seeds', 'environments']) {
      const column = table === 'environments' ? 'id' : 'environment_id';
      expect(await rowsOf(test, `SELECT id FROM ${table} WHERE ${column} = $1`, [gone.environmentId])).toEqual([]);
    }
  });
});
