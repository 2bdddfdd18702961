import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { startTestApp, type TestApp } from '../support/app.js';
import { fillRows } from '../support/rows.js';
import { PasskeySite } from '../support/passkeys.js';
import { countStatements, type SentStatement } from '../support/statements.js';
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

/** Those of the statements that a connection still plans for their values after it has sent them so often. */
async function plannedAnew(statements: readonly Sent[]): Promise<string[]> {
  const client = new pg.Client({ connectionString: test.databaseUrl });
  await client.connect();
  try {
    await client.query('BEGIN');
    for (const { name, text, values } of statements) {
      for (let n = 0; n < TIMES; n += 1) await client.query({ name, text, values: [...values] });
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
    SELECT $1, gen_random_uuid(), n || '@example.com' FROM generate_series(1, 20000) n RETURNING id),
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
    // Those that may be sent again: what is used up, and what has an id of its own, is not.
    const again = sent.filter(({ name }) =>
      /^(users\.read|accessControl\.readStanding|codes\.forgive|sessions\.visit)/.test(name),
    );
    expect(again.map(({ name }) => name.replace(/\d+$/, ''))).toEqual([
      'users.readClaimed',
      'sessions.visit',
      'accessControl.readStanding',
      'codes.forgive',
    ]);
    expect(await plannedAnew([...again, PLANNED_ANEW])).toEqual(['planted']);
  });
});

describe('the statements that write wallets', () => {
  it('are planned a few times on a connection, and not for each wallet', async () => {
    const world = await World.create(test);
    await fillRows(test, MANY_WALLETS, [(await World.create(test)).environmentId]);
    await fillRows(test, 'ANALYZE');
    const email = newEmail();
    await world.api.post(world.path('/users'), { email }, { expect: 201 });
    const owner = { identifier: email, type: 'email', chains: ['EVM', 'SOL'] };
    const { sent } = await countStatements(async () =>
      expect((await world.api.post(world.path('/embeddedWallets'), owner)).status).toBe(201),
    );
    // Sent again they find the wallets that are there.
    const again = sent.filter(({ name }) => /^wallets\.(holdUser|insertEmbedded)/.test(name));
    expect(again.map(({ name }) => name.replace(/\d+$/, ''))).toEqual(['wallets.holdUser', 'wallets.insertEmbedded']);
    expect(await plannedAnew([...again, PLANNED_ANEW])).toEqual(['planted']);
  });
});
