import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomInt } from 'node:crypto';
import pg from 'pg';
import { IntegerField } from '../../src/common/fields/index.js';
import { defineEvent, UnitOfWork, type Executor, type Statement } from '../../src/database/index.js';
import { AuditHeadsJob } from '../../src/organizations/audit/audit-heads.job.js';
import { AuditRecordsRepository } from '../../src/organizations/audit/audit-records.repository.js';
import { recordHash, type HashedRecord } from '../../src/organizations/audit/record-hash.js';
import { AuditVerifier, ChangeLog, SERVICE } from '../../src/organizations/index.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { command } from '../support/operator.js';
import { run } from '../support/service-process.js';
import { World } from '../support/world.js';

class Mark {
  @IntegerField()
  at!: number;
}

const MARKED = defineEvent('mark.made', 'Only in this test.', { payload: Mark, ofOrganization: true });
const LENGTH = 30;

describe('a trail', () => {
  let test: TestApp;
  let world: World;
  let organizationId: string;
  let verifier: AuditVerifier;
  let client: pg.Client;
  let connection: Executor;

  beforeAll(async () => {
    test = await startTestApp({ ownDatabase: true, env: { ROLE: 'api' } });
    world = await World.create(test);
    ({ organizationId } = world.ids);
    verifier = test.app.get(AuditVerifier);
    client = new pg.Client({ connectionString: test.databaseUrl });
    await client.connect();
    connection = {
      rows: async <R extends object>({ text }: Statement, values: readonly unknown[]) =>
        (await client.query<R>(text, [...values])).rows,
      execute: async () => 0,
    };
    const { length } = await records();
    for (let at = length; at < LENGTH; at++) await mark(at);
  });
  afterAll(async () => {
    await client.end();
    await test.close();
  });

  const mark = (at: number): Promise<void> =>
    test.app.get(UnitOfWork).run((tx) =>
      test.app.get(ChangeLog).record(
        {
          scope: at % 2 ? { organizationId: world.ids.organizationId } : { environmentId: world.environmentId },
          actor: SERVICE,
          event: MARKED,
          resource: { type: 'mark', id: `${at}` },
          before: { at, text: 'é😀', ratio: 0.1 + 0.2, big: 1e21 },
          after: { at: at + 1, text: null, ratio: -0, big: 1e-7 },
        },
        tx,
      ),
    );
  const records = async () =>
    (
      await client.query<{ sequence: string }>(
        'SELECT * FROM audit_records WHERE organization_id = $1 ORDER BY sequence',
        [organizationId],
      )
    ).rows;
  const sql = (text: string, ...values: unknown[]) => client.query(text, [organizationId, ...values]);

  /** What is found after a superuser, whom no trigger stops, has done something, which is then taken back. */
  async function foundAfter(tamper: () => Promise<unknown>) {
    await client.query('BEGIN');
    await client.query('SET LOCAL session_replication_role = replica');
    await tamper();
    const trail = await verifier.verify(organizationId, connection);
    await client.query('ROLLBACK');
    lastReason = trail.broken?.reason;
    return trail.broken?.sequence;
  }
  /** What was said to be wrong with the record that was found last. */
  let lastReason: string | undefined;

  const copy = (at: number, to: number | string) =>
    sql(
      `INSERT INTO audit_records (organization_id, sequence, id, occurred_at, actor, action, resource_type, resource_id,
         environment_id, changes, previous_hash, hash)
       SELECT organization_id, $3, id, occurred_at, actor, 'forged', resource_type, resource_id, environment_id, changes,
         previous_hash, hash FROM audit_records WHERE organization_id = $1 AND sequence = $2`,
      at,
      to,
    );

  const ALTERATIONS = [
    `id = gen_random_uuid()`,
    `occurred_at = occurred_at + interval '1 microsecond'`,
    `occurred_at = (to_char(occurred_at AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS.US') || '+00 BC')::timestamptz`,
    `occurred_at = '-infinity'`,
    `actor = '{"kind":"member","id":"somebody"}'`,
    `action = action || '.'`,
    `resource_type = 'other'`,
    `resource_id = resource_id || '0'`,
    `environment_id = gen_random_uuid()`,
    `changes = '[]'`,
    `changes = jsonb_set(changes, '{0,after}', '"another"')`,
    `previous_hash = sha256(previous_hash)`,
    `hash = sha256(hash)`,
  ];
  const shift = (from: number) => async () => {
    await sql(
      'UPDATE audit_records SET sequence = 1000 + sequence WHERE organization_id = $1 AND sequence >= $2',
      from,
    );
    await sql('UPDATE audit_records SET sequence = sequence - 999 WHERE organization_id = $1 AND sequence > 1000');
  };
  const TAMPERINGS: [string, (at: number) => Promise<number>][] = [
    [
      'altered',
      async (at) => {
        const set = ALTERATIONS[at % ALTERATIONS.length]!;
        await sql(`UPDATE audit_records SET ${set} WHERE organization_id = $1 AND sequence = $2`, at);
        return at;
      },
    ],
    [
      'removed',
      async (at) => {
        await sql('DELETE FROM audit_records WHERE organization_id = $1 AND sequence = $2', at);
        return at;
      },
    ],
    [
      'added between others',
      async (at) => {
        await shift(at)();
        const columns = 'id, occurred_at, actor, action, resource_type, resource_id, environment_id, changes';
        await sql(
          `INSERT INTO audit_records (organization_id, sequence, ${columns}, previous_hash, hash)
           SELECT organization_id, $2, ${columns}, previous_hash, hash FROM audit_records
           WHERE organization_id = $1 AND sequence = $3`,
          at,
          at === LENGTH ? at - 1 : at + 1,
        );
        // A copy of the record that follows is that record: the next one is what does not fit.
        return at === LENGTH ? at : at + 1;
      },
    ],
    [
      'moved',
      async (at) => {
        const other = at === 1 ? LENGTH : at - 1;
        const swap = `UPDATE audit_records SET sequence = CASE sequence WHEN $2 THEN 1001 ELSE 1002 END
          WHERE organization_id = $1 AND sequence IN ($2, $3)`;
        await sql(swap, at, other);
        await sql(
          `UPDATE audit_records SET sequence = CASE sequence WHEN 1001 THEN $3::bigint ELSE $2::bigint END
           WHERE organization_id = $1 AND sequence > 1000`,
          at,
          other,
        );
        return Math.min(at, other);
      },
    ],
  ];

  it('that was not altered verifies, whatever its values', async () => {
    const trail = await verifier.verify(organizationId);
    expect(trail).toEqual({ organizationId, count: LENGTH, head: expect.stringMatching(/^[0-9a-f]{64}$/) });
  });

  it.each(TAMPERINGS)('with a record %s names that record, at 25 of 25 places', async (_name, tamper) => {
    const first = randomInt(LENGTH);
    for (let trial = 0; trial < 25; trial++) {
      const at = ((first + trial * 7) % LENGTH) + 1;
      let expected = 0;
      const found = await foundAfter(async () => (expected = await tamper(at)));
      expect({ at, found }).toEqual({ at, found: expected });
    }
    expect((await verifier.verify(organizationId)).broken).toBeUndefined();
  });

  it.each(ALTERATIONS)('notices that %s', async (set) => {
    const at = randomInt(1, LENGTH + 1);
    const alter = `UPDATE audit_records SET ${set} WHERE organization_id = $1 AND sequence = $2`;
    expect(await foundAfter(() => sql(alter, at))).toBe(at);
  });

  it.each([
    ['audit_records', 'occurred_at'],
    ['audit_records', 'previous_hash'],
    ['audit_records', 'hash'],
    ['audit_heads', 'hash'],
  ])('names the record where %s lost its %s, if constraints are missing', async (table, column) => {
    const [at, where] = table === 'audit_records' ? [7, 'AND sequence = 7'] : [LENGTH, ''];
    const takeAway = async () => {
      await client.query(`ALTER TABLE ${table} ALTER ${column} DROP NOT NULL`);
      await sql(`UPDATE ${table} SET ${column} = NULL WHERE organization_id = $1 ${where}`);
    };
    expect(await foundAfter(takeAway)).toBe(at);
  });

  it('with a record altered and its hash recomputed names the next one, or the head', async () => {
    const forge = async (at: number) => {
      const [row] = await client
        .query<HashedRecord>(
          `UPDATE audit_records SET action = 'forged' WHERE organization_id = $1 AND sequence = $2
           RETURNING organization_id AS "organizationId", sequence::float8 AS sequence, id, actor, action, changes,
             to_char(occurred_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS "occurredAt",
             resource_type AS "resourceType", resource_id AS "resourceId", environment_id AS "environmentId",
             previous_hash AS "previousHash"`,
          [organizationId, at],
        )
        .then(({ rows }) => rows);
      await sql(
        'UPDATE audit_records SET hash = $3 WHERE organization_id = $1 AND sequence = $2',
        at,
        recordHash(row!),
      );
    };
    expect(await foundAfter(() => forge(5))).toBe(6);
    expect(await foundAfter(() => forge(LENGTH))).toBe(LENGTH);
  });

  it('whose head is altered, removed or turned back is named', async () => {
    const head = 'UPDATE audit_heads SET sequence = sequence + $2 WHERE organization_id = $1';
    expect(await foundAfter(() => sql(head, 1))).toBe(LENGTH + 1);
    expect(await foundAfter(() => sql(head, -1))).toBe(LENGTH);
    expect(await foundAfter(() => sql('UPDATE audit_heads SET hash = sha256(hash) WHERE organization_id = $1'))).toBe(
      LENGTH,
    );
    expect(await foundAfter(() => sql('DELETE FROM audit_heads WHERE organization_id = $1'))).toBe(1);
    expect(await foundAfter(() => sql('DELETE FROM audit_records WHERE organization_id = $1'))).toBe(1);
  });

  it.each([0, -1, '-9223372036854775808'])(
    'accepts no record with the number %s, and names one if constraints are missing',
    async (number) => {
      await expect(copy(1, number)).rejects.toThrow(/audit_records_sequence/);
      const plant = async () => {
        await client.query('ALTER TABLE audit_records DROP CONSTRAINT audit_records_sequence');
        await copy(1, number);
      };
      expect([await foundAfter(plant), lastReason]).toEqual([Number(number), 'it stands before the first record']);
    },
  );

  it('names a record behind its head, be it the next or one with any number', async () => {
    for (const number of [LENGTH + 2, LENGTH + 7000, '9223372036854775807']) {
      const behind = [Number(number), 'it stands behind the head of the trail'];
      expect([await foundAfter(() => copy(LENGTH, number)), lastReason]).toEqual(behind);
    }
  });

  it('names a record that has the number of another, wherever its pages end', async () => {
    const stored = test.app.get(AuditRecordsRepository);
    const walk: AuditRecordsRepository['walk'] = (id, from, limit, on) => stored.walk(id, from, Math.min(limit, 7), on);
    const paged = new AuditVerifier({ walk, findHead: stored.findHead.bind(stored) } as AuditRecordsRepository);
    expect(await paged.verify(organizationId)).toEqual(await verifier.verify(organizationId));
    for (let at = 1; at <= LENGTH; at++) {
      await client.query('BEGIN');
      await client.query('SET LOCAL session_replication_role = replica');
      await client.query('ALTER TABLE audit_records DROP CONSTRAINT audit_records_pkey');
      await sql(
        'INSERT INTO audit_records SELECT * FROM audit_records WHERE organization_id = $1 AND sequence = $2',
        at,
      );
      const { broken } = await paged.verify(organizationId, connection);
      await client.query('ROLLBACK');
      expect(broken).toEqual({ sequence: at, reason: 'it is there more than once' });
    }
  });

  it('is found although its organization was deleted', async () => {
    const { organizationId: gone } = (await World.create(test)).ids;
    const listed = async () => {
      const ids: string[] = [];
      for await (const id of verifier.organizations()) ids.push(id);
      return ids.filter((id) => id === gone);
    };
    expect(await listed()).toEqual([gone]);
    await client.query('BEGIN');
    await client.query('SET LOCAL session_replication_role = replica');
    await client.query('DELETE FROM organizations WHERE id = $1', [gone]);
    await client.query('COMMIT');
    expect(await listed()).toEqual([gone]);
  });

  it('truncated together with its head is detected by a published head only', async () => {
    const published = { sequence: LENGTH, hash: (await verifier.verify(organizationId)).head };
    expect((await verifier.verify(organizationId, undefined, published)).broken).toBeUndefined();
    await client.query('BEGIN');
    try {
      await client.query('SET LOCAL session_replication_role = replica');
      await sql('DELETE FROM audit_records WHERE organization_id = $1 AND sequence > $2', LENGTH - 3);
      await sql(
        `UPDATE audit_heads h SET sequence = r.sequence, hash = r.hash FROM audit_records r
         WHERE h.organization_id = $1 AND r.organization_id = $1 AND r.sequence = $2`,
        LENGTH - 3,
      );
      expect((await verifier.verify(organizationId, connection)).broken).toBeUndefined();
      const { broken } = await verifier.verify(organizationId, connection, published);
      expect(broken).toEqual({ sequence: LENGTH - 2, reason: 'it is gone, and a head behind it was published' });
    } finally {
      await client.query('ROLLBACK');
    }
    const another = { sequence: 5, hash: published.hash };
    expect((await verifier.verify(organizationId, undefined, another)).broken).toMatchObject({ sequence: 5 });
  });

  it('verifies while 50 changes are added to it', async () => {
    const own = await World.create(test);
    const adding = Promise.all(
      Array.from({ length: 50 }, (_, at) =>
        own.owner.put(`/projects/${own.ids.projectId}`, { name: `Name ${at}` }, { expect: 200 }),
      ),
    );
    for (let round = 0; round < 20; round++) {
      expect((await verifier.verify(own.ids.organizationId)).broken).toBeUndefined();
    }
    await adding;
    expect(await verifier.verify(own.ids.organizationId)).toMatchObject({ count: expect.any(Number) });
  });

  it('has its head published in the log', async () => {
    const { head } = await verifier.verify(organizationId);
    const quiet = test.app.get(AuditHeadsJob);
    const lines: string[] = [];
    quiet['log'].log = (line: string) => lines.push(line);
    await quiet.run();
    expect(lines).toContain(`organization=${organizationId} records=${LENGTH} head=${head}`);
    expect(new Set(lines).size).toBe(lines.length);
  });

  it('is verified by a command, which names what is broken and exits with 1', async () => {
    const other = await World.create(test);
    const settings = { DATABASE_URL: test.databaseUrl, MASTER_KEY: test.masterKey, NODE_ENV: 'test' };
    const verify = (...words: string[]) => command(test.app, 'audit', 'verify', ...words);
    const sound = await run(['node', 'scripts/run.js', 'cli', 'audit', 'verify'], settings);
    expect({ code: sound.code, error: sound.stderr }).toEqual({ code: 0, error: '' });
    expect(sound.stdout).toMatch(new RegExp(`^${organizationId}  ${LENGTH} records  head [0-9a-f]{64}  ok$`, 'm'));
    expect(sound.stdout).toContain(other.ids.organizationId);
    const [, published] = new RegExp(`^${organizationId}  .* head ([0-9a-f]{64}) `, 'm').exec(sound.stdout)!;
    const withHead = ['--organization', organizationId, '--head', `${LENGTH}:${published}`];
    const kept = await verify(...withHead);
    expect({ code: kept.code, error: kept.stderr }).toEqual({ code: 0, error: '' });
    expect(kept.stdout).toContain('  ok\n');

    await client.query('SET session_replication_role = replica');
    // The last record goes, and the head of the trail with it: by itself the rest is as it was written.
    await client.query(
      `CREATE TEMP TABLE cut AS SELECT * FROM audit_records WHERE organization_id = '${organizationId}' AND sequence = ${LENGTH}`,
    );
    const head = `UPDATE audit_heads h SET sequence = r.sequence, hash = r.hash FROM audit_records r
      WHERE h.organization_id = $1 AND r.organization_id = $1 AND r.sequence = $2`;
    await sql('DELETE FROM audit_records WHERE organization_id = $1 AND sequence = $2', LENGTH);
    await sql(head, LENGTH - 1);
    const [unaware, aware, alone] = await Promise.all([
      verify('--organization', organizationId),
      verify(...withHead),
      verify('--head', `${LENGTH}:${published}`),
    ]);
    expect(unaware.code).toBe(0);
    expect(aware.code).toBe(1);
    expect(aware.stdout).toContain(`BROKEN at record ${LENGTH}: it is gone, and a head behind it was published`);
    expect(alone).toMatchObject({ code: 1, stderr: expect.stringContaining('--head needs --organization') });
    await client.query('INSERT INTO audit_records SELECT * FROM cut');
    await sql(head, LENGTH);
    await sql("UPDATE audit_records SET action = 'forged' WHERE organization_id = $1 AND sequence = 7");
    await client.query('RESET session_replication_role');
    const [broken, elsewhere, mistaken, unknown] = await Promise.all([
      verify('--organization', organizationId),
      verify('--organization', other.ids.organizationId),
      verify('--organization', 'x'),
      verify('--organization', world.environmentId),
    ]);
    expect(broken.code).toBe(1);
    expect(broken.stdout).toContain('6 records');
    expect(broken.stdout).toContain('BROKEN at record 7: it is not as it was written');
    expect(broken.stderr).toContain('1 trail is not as written.');
    expect(elsewhere.code).toBe(0);
    expect(mistaken).toMatchObject({ code: 1, stderr: expect.stringContaining('--organization must be') });
    const none = `There is no audit trail for organization ${world.environmentId}.\n`;
    expect(unknown).toEqual({ code: 1, stdout: '', stderr: none });
  }, 180_000);
});
