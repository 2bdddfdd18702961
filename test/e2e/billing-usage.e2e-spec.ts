import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { CountActiveUsers20261121006002 } from '../../migrations/20261121006002-count-active-users.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { roomInDay } from '../support/room-in-day.js';
import { rowsOf } from '../support/rows.js';
import { countStatements } from '../support/statements.js';
import { newEmail, World } from '../support/world.js';

let test: TestApp;
const sql = (text: string, ...values: unknown[]): Promise<Record<string, unknown>[]> => rowsOf(test, text, values);

beforeAll(async () => {
  test = await startTestApp({ ownDatabase: true, env: { ROLE: 'api' } });
});
afterAll(() => test.close());
// Usage is that of a month.
beforeEach(roomInDay);

const path = ({ ids }: World): string => `/organizations/${ids.organizationId}/billing/subscription`;
async function usage(world: World): Promise<number> {
  const { body } = await world.owner.get<{ currentBillingPeriod: { usagesCount: number } }>(path(world), {
    expect: 200,
  });
  return body.currentBillingPeriod.usagesCount;
}

/** Turns the calendar: everything that happened so far in this organization happened a month earlier. */
async function nextMonth({ ids }: World): Promise<void> {
  const own = 'environment_id IN (SELECT id FROM environments WHERE organization_id = $1)';
  await sql(`UPDATE billing_active_users SET month = month - interval '1 month' WHERE ${own}`, ids.organizationId);
  await sql(
    "UPDATE billing_usage SET month = month - interval '1 month' WHERE organization_id = $1",
    ids.organizationId,
  );
  // The triggers look at steps forward alone.
  await sql(
    `UPDATE sessions SET token_issued_at = token_issued_at - interval '1 month' WHERE ${own}`,
    ids.organizationId,
  );
}

describe('the usage of an organization', () => {
  it('counts each user of all its environments once, however often they sign in', async () => {
    const world = await World.create(test);
    const [ann, bob] = [newEmail(), newEmail()];
    for (const email of [ann, bob, ann, ann]) await world.signIn(email);
    expect(await usage(world)).toBe(2);
    await world.signIn(ann, { environmentId: world.ids.environments.live });
    expect(await usage(world)).toBe(3);
  });

  it('counts neither users who never signed in, nor those of others, nor members at the console', async () => {
    const [world, other] = [await World.create(test), await World.create(test)];
    await world.api.post(world.path('/users'), { email: newEmail() }, { expect: 201 });
    await world.signIn(world.ownerEmail, { environmentId: world.ids.consoleEnvironmentId });
    await other.signIn(newEmail());
    expect([await usage(world), await usage(other)]).toEqual([0, 1]);
  });

  it('counts 20 users who sign in concurrently, and one user with 50 concurrent sign-ins once', async () => {
    const world = await World.create(test);
    await Promise.all(Array.from({ length: 20 }, () => world.signIn(newEmail())));
    expect(await usage(world)).toBe(20);
    const { environmentId } = world;
    const { userId } = await world.signIn(newEmail());
    await sql('DELETE FROM billing_active_users WHERE environment_id = $1 AND user_id = $2', environmentId, userId);
    const before = await usage(world);
    await Promise.all(
      Array.from({ length: 50 }, () =>
        sql(
          `INSERT INTO sessions (environment_id, id, user_id, amr, token_id, token_issued_at, token_expires_at, expires_at)
           VALUES ($1, gen_random_uuid(), $2, '{}', gen_random_uuid(), now(), now(), now())`,
          environmentId,
          userId,
        ),
      ),
    );
    expect(await usage(world)).toBe(before + 1);
  }, 120_000);

  it('starts over each month, in which a refresh counts like a sign-in, once per user', async () => {
    const world = await World.create(test);
    const [stays, comes] = [await world.signIn(newEmail()), newEmail()];
    await world.signIn(comes);
    await nextMonth(world);
    expect(await usage(world)).toBe(0);
    await world.signIn(comes);
    expect(await usage(world)).toBe(1);
    const refresh = (token: string) =>
      world.anonymous.post<{ jwt: string }>(world.sdk('/refresh'), undefined, { token, expect: 200 });
    const { body } = await refresh(stays.jwt);
    expect(await usage(world)).toBe(2);
    await refresh(body.jwt);
    expect(await usage(world)).toBe(2);
  });

  it('is that of a UTC month, from its first instant on', async () => {
    const world = await World.create(test);
    const [first, last] = [await world.signIn(newEmail()), await world.signIn(newEmail())];
    await nextMonth(world);
    const issue = ({ sessionId }: { sessionId: string }, before: string) =>
      sql(
        `UPDATE sessions SET token_issued_at = date_trunc('month', now(), 'UTC') - $2::interval WHERE id = $1`,
        sessionId,
        before,
      );
    await issue(last, '1 microsecond');
    expect(await usage(world)).toBe(0);
    await issue(first, '0');
    expect(await usage(world)).toBe(1);
  });

  it('does not change when users are deleted', async () => {
    const world = await World.create(test);
    const { userId } = await world.signIn(newEmail());
    await world.api.delete(`/users/${userId}`, { expect: 204 });
    expect(await usage(world)).toBe(1);
    expect(await sql('SELECT 1 FROM billing_active_users WHERE user_id = $1', userId)).toEqual([]);
  });

  it('is not counted by a sign-in that is rolled back', async () => {
    const world = await World.create(test);
    const { userId } = await world.signIn(newEmail());
    await nextMonth(world);
    const client = new pg.Client({ connectionString: test.databaseUrl });
    await client.connect();
    await client.query('BEGIN');
    await client.query('UPDATE sessions SET token_issued_at = now() WHERE user_id = $1', [userId]);
    await client.query('ROLLBACK');
    await client.end();
    expect(await usage(world)).toBe(0);
  });

  it('from before the feature is counted by the migration, nobody twice', async () => {
    const world = await World.create(test);
    for (let at = 0; at < 3; at++) await world.signIn(newEmail());
    const { organizationId } = world.ids;
    const forget = async (): Promise<void> => {
      await sql('DELETE FROM billing_active_users');
      await sql('DELETE FROM billing_usage');
    };
    await forget();
    await world.signIn(newEmail());
    const runner = test.app.get((await import('typeorm')).DataSource).createQueryRunner();
    const migration = new CountActiveUsers20261121006002();
    await migration.up(runner);
    await migration.up(runner);
    await runner.release();
    expect(await usage(world)).toBe(4);
    expect(
      await sql('SELECT sum(users)::int AS users FROM billing_usage WHERE organization_id = $1', organizationId),
    ).toEqual([{ users: 4 }]);
  });

  it('is read with one statement that touches a few rows, whether ten users were active or 100 000', async () => {
    const world = await World.create(test);
    const { organizationId } = world.ids;
    await sql(
      `INSERT INTO billing_usage (organization_id, month, slot, users)
       SELECT $1, date_trunc('month', now() AT TIME ZONE 'UTC')::date - make_interval(months => m), s, 1600
       FROM generate_series(0, 35) m, generate_series(0, 63) s`,
      organizationId,
    );
    await sql(
      `INSERT INTO organizations (id, name) SELECT gen_random_uuid(), 'Filler' || n FROM generate_series(1, 2000) n`,
    );
    await sql(
      `INSERT INTO billing_usage (organization_id, month, slot, users)
       SELECT o.id, date_trunc('month', now() AT TIME ZONE 'UTC')::date, s, 1
       FROM organizations o, generate_series(0, 19) s WHERE o.name LIKE 'Filler%'`,
    );
    await sql('ANALYZE billing_usage, organizations, billing_subscriptions, billing_redemptions');
    const asked = await countStatements(() => usage(world));
    expect(asked.result).toBe(64 * 1600);
    const sent = asked.sent.filter(({ text }) => text.includes('billing_'));
    expect(sent).toHaveLength(1);
    const [{ 'QUERY PLAN': plan }] = (await sql(
      `EXPLAIN (ANALYZE, FORMAT JSON) ${sent[0]!.text}`,
      ...sent[0]!.values,
    )) as [{ 'QUERY PLAN': [{ Plan: PlanNode }] }];
    const nodes = flatten(plan[0].Plan).filter((node) => node['Relation Name'] === 'billing_usage');
    expect(nodes).toHaveLength(1);
    expect(nodes[0]!['Actual Rows']).toBe(64);
    const scans = flatten(plan[0].Plan).filter((node) => node['Index Name'] === 'billing_usage_pkey');
    expect(scans).toHaveLength(1);
    expect(flatten(plan[0].Plan).some((node) => node['Relation Name'] === 'billing_active_users')).toBe(false);
  });
});

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Actual Rows'?: number;
  Plans?: PlanNode[];
}
const flatten = (plan: PlanNode): PlanNode[] => [plan, ...(plan.Plans ?? []).flatMap(flatten)];
