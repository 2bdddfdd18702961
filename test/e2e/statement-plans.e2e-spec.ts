import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { SERVICE } from '../../src/custody/index.js';
import { KeyLedger } from '../../src/custody/ledger/key-ledger.js';
import { UnitOfWork } from '../../src/database/index.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { fillRows } from '../support/rows.js';
import { PasskeySite } from '../support/passkeys.js';
import { countStatements, type SentStatement } from '../support/statements.js';
import { addSite, keySignIn, newKey } from '../support/wallet-sign-in.js';
import { newEmail, World } from '../support/world.js';

/** PostgreSQL plans the first five calls by their values and then compares. */
const TIMES = 12;

type Sent = Pick<SentStatement, 'name' | 'text' | 'values'>;

/** A statement that looks cheaper with each value than with any. */
const PLANNED_ANEW: Sent = {
  name: 'planted',
  text: `SELECT CASE WHEN $1 = 'short' THEN 1 ELSE (SELECT count(*)::int FROM generate_series(1, 100000)) END`,
  values: ['short'],
};

/** A list of another environment, long enough for the planner to know its name. */
const LONG_LIST = `WITH entries AS (
    INSERT INTO allowlist_entries (environment_id, allowlist_id, id, fields)
    SELECT $1, $2, gen_random_uuid(), jsonb_build_object('email', n || '@example.com') FROM generate_series(1, 20000) n
    RETURNING id, fields)
  INSERT INTO allowlist_entry_keys (environment_id, allowlist_id, entry_id, key)
  SELECT $1, $2, id, 'email:' || (fields->>'email') FROM entries`;

let test: TestApp;

beforeAll(async () => {
  test = await startTestApp({ ownDatabase: true, env: { ROLE: 'api' } });
});
afterAll(() => test.close());

/**
 * Those of the statements that a connection still plans for their values after it has sent them so often. A statement is
 * planned before it runs, so it does not matter that some fail when their row is there already.
 */
async function plannedAnew(sent: readonly Sent[]): Promise<string[]> {
  const client = new pg.Client({ connectionString: test.databaseUrl });
  await client.connect();
  try {
    await client.query('BEGIN');
    for (const { name, text, values } of sent.filter(({ name }) => name !== '')) {
      for (let n = 0; n < TIMES; n += 1) {
        await client.query('SAVEPOINT run');
        await client.query({ name, text, values: [...values] }).catch(() => undefined);
        await client.query('ROLLBACK TO SAVEPOINT run');
      }
    }
    const { rows } = await client.query<{ name: string }>(
      'SELECT name FROM pg_prepared_statements WHERE generic_plans = 0 ORDER BY name',
    );
    await client.query('ROLLBACK');
    return rows.map(({ name }) => name);
  } finally {
    await client.end();
  }
}

const EARLY = { name: 'Early', outcome: 'scope', scope: 'early' };
const listOf = async (world: World): Promise<string> =>
  (await world.api.post<{ id: string }>(world.path('/allowlists'), EARLY, { expect: 201 })).body.id;

/** People of another environment, each with a seed and a wallet: whoever looks at one looks at an index of several levels. */
const MANY_WALLETS = `WITH u AS (
    INSERT INTO users (environment_id, id, email)
    SELECT $1, gen_random_uuid(), n || '@example.com' FROM generate_series(1, 5000) n RETURNING id),
  s AS (
    INSERT INTO wallet_seeds (environment_id, id, user_id, kind, vault_organization_id, vault_user_id, sealed_entropy,
      master_key_id)
    SELECT $1, id, id, 'hd-entropy', gen_random_uuid(), gen_random_uuid(), '\\x00', 'planted' FROM u)
  INSERT INTO wallets (environment_id, id, user_id, kind, name, chain, address, public_key, provider, seed_id, account_index,
    derivation_path, version)
  SELECT $1, id, id, 'embedded', 'Planted', 'EVM', id::text, id::text, 'embeddedWallet', id, 0, 'm/0', 'V1' FROM u`;

/** Users whose ids come before any that the service makes. */
const MORE_USERS = `INSERT INTO users (environment_id, id, email)
  SELECT $1, lpad(n::text, 32, '0')::uuid, n || '@example.com' FROM generate_series(1, 50) n`;

interface PlanNode {
  readonly 'Actual Loops': number;
  readonly Plans?: readonly PlanNode[];
}

const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

/** How often the busiest part of a statement runs. */
async function mostLoops({ text, values }: Sent): Promise<number> {
  const client = new pg.Client({ connectionString: test.databaseUrl });
  await client.connect();
  try {
    await client.query("SET plan_cache_mode = 'force_generic_plan'");
    const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
      `EXPLAIN (ANALYZE, FORMAT JSON) ${text}`,
      [...values],
    );
    return Math.max(...nodesOf(rows[0]!['QUERY PLAN'][0].Plan).map((node) => node['Actual Loops']));
  } finally {
    await client.end();
  }
}

describe('the statements of a sign-in', () => {
  it('put together the one user who signs in, also where a handful of users is all there is', async () => {
    const world = await World.create(test);
    await fillRows(test, MORE_USERS, [world.environmentId]);
    const site = await PasskeySite.register(world);
    const authenticator = await site.add(await site.person());
    const answer = authenticator.get(await site.request(), site);
    const { sent } = await countStatements(async () => expect((await site.signIn(answer)).status).toBe(200));
    const [read] = sent.filter(({ name }) => name.startsWith('users.readClaimed'));
    expect(await mostLoops(read!)).toBeLessThan(10);
  });

  it('are planned a few times on a connection, and not in every sign-in', async () => {
    const world = await World.create(test);
    const site = await PasskeySite.register(world);
    await world.api.put(`/allowlists/${await listOf(world)}/enable`, undefined, { expect: 200 });
    const other = await World.create(test);
    await fillRows(test, LONG_LIST, [other.environmentId, await listOf(other)]);
    await fillRows(test, 'ANALYZE');
    const authenticator = await site.add(await site.person());
    const answer = authenticator.get(await site.request(), site);
    const { sent } = await countStatements(async () => expect((await site.signIn(answer)).status).toBe(200));
    expect(sent.map(({ name }) => name.replace(/\d+$/, ''))).toEqual(
      expect.arrayContaining(['users.readClaimed', 'accessControl.readStanding', 'codes.forgive', 'events.append']),
    );
    expect(await plannedAnew([...sent, PLANNED_ANEW])).toEqual(['planted']);
  });
});

/** Signs with a wallet of a new user. */
async function aSignature(world: World): Promise<() => Promise<unknown>> {
  const { jwt, userId } = await world.signIn(newEmail());
  const embeddedWallets = [{ embeddedWalletProvider: 'keyvaulthd', chain: 'EVM' }];
  await world.anonymous.post(world.sdk('/users/embeddedWallets'), { embeddedWallets }, { token: jwt, expect: 201 });
  const { body } = await world.api.get<{ user: { wallets: { id: string }[] } }>(world.path(`/users/${userId}`));
  const path = world.sdk(`/users/embeddedWallets/${body.user.wallets[0]!.id}/sign`);
  return () => world.anonymous.post(path, { kind: 'message', message: 'I agree.' }, { token: jwt, expect: 200 });
}

/** What a person or a server does often, with a statement by which each is recognised. */
const OFTEN: Record<string, [expected: string, prepare: (world: World) => Promise<() => Promise<unknown>>]> = {
  'a sign-in with an emailed code': [
    'emailCodes.consume',
    async (world) => {
      const email = newEmail();
      await world.signIn(email);
      return () => world.signIn(email);
    },
  ],
  'a sign-in with a wallet': [
    'heldWallets.findUserOf',
    async (world) => {
      await addSite(world);
      const key = newKey();
      const signIn = async () =>
        world.anonymous.post(world.sdk('/verify'), await keySignIn(world, key), { expect: 200 });
      await signIn();
      return signIn;
    },
  ],
  'a user created by a server': [
    'users.insert',
    (world) => Promise.resolve(() => world.api.post(world.path('/users'), { email: newEmail() }, { expect: 201 })),
  ],
  'wallets created by a server': [
    'wallets.insertEmbedded',
    async (world) => {
      const email = newEmail();
      await world.api.post(world.path('/users'), { email }, { expect: 201 });
      const owner = { identifier: email, type: 'email', chains: ['EVM', 'SOL'] };
      return () => world.api.post(world.path('/embeddedWallets'), owner, { expect: 201 });
    },
  ],
  'a signature': ['keyLedger.append', aSignature],
  'signatures that are recorded together': [
    'keyLedger.appendAll',
    ({ environmentId }) => {
      const ids = { userId: environmentId, keysId: environmentId };
      const use = { operation: 'sign', actor: SERVICE, ...ids, subject: {}, reason: 'message' } as const;
      const uses = [1, 2, 3].map((byte) => ({ ...use, digest: Buffer.alloc(32, byte), verdict: 'allowed' }));
      const ledger = test.app.get(KeyLedger);
      const record = () => test.app.get(UnitOfWork).run(async (tx) => ledger.recordAll(environmentId, uses, tx));
      return Promise.resolve(record);
    },
  ],
};

describe('what is done often', () => {
  let world: World;
  beforeAll(async () => {
    world = await World.create(test);
    for (const { environmentId } of [world, await World.create(test)]) {
      await fillRows(test, MANY_WALLETS, [environmentId]);
    }
    await fillRows(test, 'ANALYZE');
  });

  it.each(Object.entries(OFTEN))('is planned a few times on a connection: %s', async (_, [expected, prepare]) => {
    const act = await prepare(world);
    const { sent } = await countStatements(act);
    expect(sent.map(({ name }) => name.replace(/\d+$/, ''))).toContain(expected);
    expect(await plannedAnew([...sent, PLANNED_ANEW])).toEqual(['planted']);
  });
});
