import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { Database, UnitOfWork, scopedStatement, asSystem, type EnvironmentId } from '../../src/database/index.js';
import { keepRowSecurity, tenantTables } from '../../src/database/row-security/policies.js';
import { DEPLOYMENT_TABLES } from '../../src/database/statement.js';
import { checkRowSecurity } from '../../src/doctor/checks/row-security.js';
import { DatabaseProbe } from '../../src/doctor/database-probe.repository.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { EXAMPLE_TABLES } from '../support/example-tables.js';
import { createDatabase, withClient, type TestDatabase } from '../support/postgres.js';
import { asOwner, bringPolicies } from '../support/row-security.js';
import { newEmail, World } from '../support/world.js';

/** Names its scope, as every scoped statement has to, and then forgets that it is one. */
const PLANTED = scopedStatement(
  'users.planted',
  'SELECT id FROM users WHERE (environment_id = $1 OR true) AND id = ANY ($2::uuid[]) ORDER BY id',
);
const PLANTED_CHANGE = scopedStatement(
  'users.plantedChange',
  'UPDATE users SET alias = $3 WHERE (environment_id = $1 OR true) AND id = $2',
);
const PLANTED_MOVE = scopedStatement(
  'users.plantedMove',
  'UPDATE users SET environment_id = $2 WHERE environment_id = $1',
);
const EVERYBODY = asSystem('the test looks at both tenants at once').statement(
  'users.listOfBoth',
  'SELECT id FROM users WHERE id = ANY ($1::uuid[])',
);

interface Tenants {
  one: World;
  other: World;
  /** A user of each. */
  users: string[];
}

async function twoTenants(test: TestApp): Promise<Tenants> {
  const [one, other] = [await World.create(test), await World.create(test)];
  const users = [(await one.signIn(newEmail())).userId, (await other.signIn(newEmail())).userId];
  return { one, other, users };
}

describe('row-level security', () => {
  let database: TestDatabase;
  let url: string;
  let test: TestApp;
  let tenants: Tenants;

  const idsOf = async (scope: EnvironmentId): Promise<string[]> =>
    (await test.app.get(Database).rows<{ id: string }>(PLANTED, [scope, tenants.users])).map(({ id }) => id);
  const doctor = async (isOn: boolean): Promise<string> => {
    const probe = await DatabaseProbe.open(url);
    try {
      const { state, meaning } = checkRowSecurity(isOn, await probe.rowSecurity());
      return `${state}: ${meaning}`;
    } finally {
      await probe.close();
    }
  };

  beforeAll(async () => {
    database = await createDatabase();
    url = await asOwner(database.url);
    test = await startTestApp({ databaseUrl: url, env: { DATABASE_ROW_SECURITY: 'on', ROLE: 'api' } });
    tenants = await twoTenants(test);
  }, 120_000);

  afterAll(async () => {
    await test?.close();
    await database?.drop();
  });

  describe('that is not asked for yet', () => {
    it('leaves a forgotten scope to meet the rows of another tenant, so that the sentences below prove something', async () => {
      expect(await idsOf(tenants.one.environmentId)).toEqual([...tenants.users].sort());
      expect(await doctor(true)).toContain('have no policy');
      expect(await doctor(false)).toBe('ok: off');
    });
  });

  describe('with the policies made', () => {
    beforeAll(async () => {
      const made = await bringPolicies(url, true);
      expect(made).toContain('row-level security: made the policy of users');
    }, 120_000);

    it('stands at every table of tenants, found by the entities and by the catalogue alike', async () => {
      const source = test.app.get(DataSource);
      const tables = await tenantTables(source);
      expect(tables.filter(({ isGuarded }) => !isGuarded)).toEqual([]);
      const own = new Set(['environments', 'organizations']);
      const scoped = source.entityMetadatas
        .filter(
          ({ tableName, columns }) =>
            !EXAMPLE_TABLES.includes(tableName) &&
            (own.has(tableName) ||
              columns.some(({ databaseName }) => /^(environment|organization)_id$/.test(databaseName))),
        )
        .map(({ tableName }) => tableName);
      expect(tables.map(({ table }) => table)).toEqual([...new Set(scoped)].sort());
      const left = await withClient(database.url, (client) =>
        client.query<{ name: string }>(`SELECT relname AS name FROM pg_class WHERE relkind = 'r'
          AND relnamespace = 'public'::regnamespace AND NOT relforcerowsecurity ORDER BY 1`),
      );
      const exempt = left.rows
        .map(({ name }) => name)
        .filter((name) => !(DEPLOYMENT_TABLES as readonly string[]).includes(name));
      expect(exempt).toEqual([]);
      expect(await doctor(true)).toMatch(/^ok: on, \d+ tables have their policy$/);
    });

    it('changes nothing when they are made a second time', async () => {
      expect(await bringPolicies(url, true)).toBe('Nothing to migrate.');
    });

    it('holds a statement that forgets its scope to the tenant of the caller, alone and in a transaction', async () => {
      const { one, other, users } = tenants;
      expect(await idsOf(one.environmentId)).toEqual([users[0]]);
      expect(await idsOf(other.environmentId)).toEqual([users[1]]);
      await test.app.get(UnitOfWork).run(async (tx) => {
        for (const [at, world] of [one, other, one].entries()) {
          const rows = await tx.rows<{ id: string }>(PLANTED, [world.environmentId, users]);
          expect(rows).toEqual([{ id: users[at % 2] }]);
        }
        expect(await tx.execute(PLANTED_CHANGE, [one.environmentId, users[1], 'stolen'])).toBe(0);
        expect(await tx.rows(EVERYBODY, [users])).toHaveLength(2);
        expect(await tx.rows(PLANTED, [one.environmentId, users])).toHaveLength(1);
      });
      expect(await test.app.get(Database).execute(PLANTED_CHANGE, [one.environmentId, users[1], 'stolen'])).toBe(0);
    });

    it('leaves no tenant on a connection that returns to the pool, whoever takes it next', async () => {
      const rows = await Promise.all(
        Array.from({ length: 60 }, (_, at) => idsOf((at % 2 ? tenants.other : tenants.one).environmentId)),
      );
      rows.forEach((ids, at) => expect(ids).toEqual([tenants.users[at % 2]]));
      const nobody = await test.app.get(DataSource).query<unknown[]>('SELECT 1 FROM users');
      expect(nobody).toEqual([]);
    });

    it('refuses to write a row to another tenant', async () => {
      const { one, other } = tenants;
      const planted = test.app.get(Database).execute(PLANTED_MOVE, [one.environmentId, other.environmentId]);
      await expect(planted).rejects.toMatchObject({ code: '42501' });
    });

    it('refuses to start an instance that would name no tenant', async () => {
      await expect(keepRowSecurity(test.app.get(DataSource), false)).rejects.toThrow('DATABASE_ROW_SECURITY is off');
      expect(await doctor(false)).toContain('the service does not start');
    });

    it('gives a table its policy at the next start when a migration has added it', async () => {
      await withClient(url, (client) => client.query('CREATE TABLE later (environment_id uuid PRIMARY KEY)'));
      try {
        const source = test.app.get(DataSource);
        await keepRowSecurity(source, true);
        const later = (await tenantTables(source)).find(({ table }) => table === 'later');
        expect(later).toMatchObject({ isGuarded: true });
      } finally {
        await withClient(url, (client) => client.query('DROP TABLE later'));
      }
    });

    it('lets people sign in, keep wallets and sessions, and teams work at the console', async () => {
      const world = await World.create(test);
      const person = await world.signIn(newEmail());
      const client = world.anonymous.withToken(person.jwt);
      await client.put(world.sdk('/users'), { alias: 'Ann' }, { expect: 200 });
      await world.api.get(world.path('/users'), { expect: 200 });
      const wanted = { identifier: newEmail(), type: 'email', chains: ['EVM', 'SOL'] };
      const made = await world.api.post<{ user: { id: string } }>(world.path('/embeddedWallets'), wanted, {
        expect: 201,
      });
      const wallets = await world.api.get<{ count: number }>(world.path(`/users/${made.body.user.id}/wallets`), {
        expect: 200,
      });
      expect(wallets.body.count).toBe(2);
      const hook = { url: 'https://hooks.example.com/in', events: ['user.created'], isEnabled: true };
      await world.owner.post(world.path('/webhooks'), hook, { expect: 201 });
      await world.signIn(newEmail());
      const audit = `/organizations/${world.ids.organizationId}`;
      await world.owner.get(`${audit}/members`, { expect: 200 });
      await world.owner.get(`${audit}/audit`, { expect: 200 });
      await world.owner.get(`${audit}/projects`, { expect: 200 });
    });
  });

  describe('with the policies dropped again', () => {
    beforeAll(async () => {
      expect(await bringPolicies(url, false)).toContain('row-level security: dropped the policy of users');
    }, 120_000);

    it('is as it was before', async () => {
      expect(await idsOf(tenants.one.environmentId)).toEqual([...tenants.users].sort());
      expect(await doctor(false)).toBe('ok: off');
      await keepRowSecurity(test.app.get(DataSource), false);
    });
  });
});
