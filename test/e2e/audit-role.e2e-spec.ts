import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import pg from 'pg';
import { checkAuditTrail } from '../../src/doctor/checks/audit-trail.js';
import { DatabaseProbe } from '../../src/doctor/database-probe.repository.js';
import { AuditVerifier } from '../../src/organizations/index.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { auditOf } from '../support/audit.js';
import { createDatabase, withClient } from '../support/postgres.js';
import { World } from '../support/world.js';

/** The statements of the section, as an operator copies them. */
function documented(): string {
  const text = readFileSync(new URL('../../docs/running.md', import.meta.url), 'utf8');
  const [, section = ''] = text.split('### A role that cannot alter the trail');
  const sql = /```sql\n([^`]+)```/.exec(section)?.[1];
  if (!sql) throw new Error('docs/running.md has no SQL for the role.');
  return sql;
}

describe('a service whose role does not own the trail, as docs/running.md makes it', () => {
  const role = `service_${randomBytes(4).toString('hex')}`;
  let admin: pg.Client;
  let attacker: pg.Client;
  let database: Awaited<ReturnType<typeof createDatabase>>;
  let url: string;
  let before: string;
  let test: TestApp;

  const doctor = async (): Promise<string> => {
    const probe = await DatabaseProbe.open(url);
    try {
      const { state, meaning } = checkAuditTrail(await probe.rightsOnTrail(), true);
      return `${state}: ${meaning}`;
    } finally {
      await probe.close();
    }
  };

  beforeAll(async () => {
    database = await createDatabase();
    admin = new pg.Client({ connectionString: database.url });
    await admin.connect();
    const { rows } = await admin.query<{ name: string }>('SELECT current_database() AS name');
    const name = rows[0]!.name;
    // As a first start leaves it: everything is the service's.
    await admin.query(`CREATE ROLE ${role} LOGIN PASSWORD 'of-a-test'`);
    await admin.query(`ALTER DATABASE ${name} OWNER TO ${role}`);
    await admin.query(`DO $$ DECLARE t text; BEGIN
      FOR t IN SELECT format('%I', tablename) FROM pg_tables WHERE schemaname = 'public' LOOP
        EXECUTE 'ALTER TABLE ' || t || ' OWNER TO ${role}';
      END LOOP; END $$`);
    const address = new URL(database.url);
    [address.username, address.password] = [role, 'of-a-test'];
    url = address.href;
    before = await doctor();
    const sql = documented()
      .replaceAll('gatehouse_trail', `${role}_trail`)
      .replace('DATABASE gatehouse', `DATABASE ${name}`)
      .replaceAll('TO gatehouse;', `TO ${role};`);
    await admin.query(sql);
    test = await startTestApp({ databaseUrl: url, env: { ROLE: 'api' } });
    attacker = new pg.Client({ connectionString: url });
    await attacker.connect();
  }, 120_000);
  afterAll(async () => {
    await attacker?.end();
    await test?.close();
    await admin.query(`ALTER DATABASE ${new URL(database.url).pathname.slice(1)} OWNER TO CURRENT_USER`);
    await admin.end();
    await database.drop();
    const server = Object.assign(new URL(database.url), { pathname: '/postgres' });
    await withClient(server.href, (client) => client.query(`DROP ROLE ${role}, ${role}_trail`));
  });

  it('is reported by the doctor before, and not afterwards', async () => {
    expect(before).toBe('warn: the role of the service owns audit_records or its schema, so it could alter the trail');
    expect(await doctor()).toBe('ok: the role of the service may only add records');
  });

  it('writes and reads its trail, which verifies', async () => {
    const world = await World.create(test);
    await world.owner.put(`/projects/${world.ids.projectId}`, { name: 'Renamed' }, { expect: 200 });
    expect((await auditOf(test, world.ids.organizationId, { action: 'project.updated' })).length).toBe(1);
    const { broken, count } = await test.app.get(AuditVerifier).verify(world.ids.organizationId);
    expect(broken).toBeUndefined();
    expect(count).toBeGreaterThan(0);
  });

  it.each([
    ["UPDATE audit_records SET action = 'nothing'"],
    ['DELETE FROM audit_records'],
    ['TRUNCATE audit_records'],
    ['TRUNCATE organizations CASCADE'],
    ['ALTER TABLE audit_records DISABLE TRIGGER ALL'],
    ['DROP TRIGGER audit_records_only_grow ON audit_records'],
    [
      'CREATE OR REPLACE FUNCTION refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$',
    ],
    ['DROP TABLE audit_records'],
    ['DROP SCHEMA public CASCADE'],
    ['SET session_replication_role = replica'],
    [`SET ROLE ${role}_trail`],
  ])('cannot %s', async (sql) => {
    await expect(attacker.query(sql)).rejects.toMatchObject({ code: '42501' });
  });

  it('is detected if it sets back the head, which is all it can do', async () => {
    const world = await World.create(test);
    const { organizationId } = world.ids;
    await world.owner.put(`/projects/${world.ids.projectId}`, { name: 'Renamed' }, { expect: 200 });
    await attacker.query('UPDATE audit_heads SET sequence = sequence - 1 WHERE organization_id = $1', [organizationId]);
    expect((await test.app.get(AuditVerifier).verify(organizationId)).broken).toBeDefined();
  });
});
