import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import pg from 'pg';
import { ledgerVerify } from '../../src/cli/ledger.commands.js';
import { KeyRotation, LedgerVerifier, SERVICE } from '../../src/custody/index.js';
import { KeyLedger } from '../../src/custody/ledger/key-ledger.js';
import { KeyLedgerRepository } from '../../src/custody/ledger/key-ledger.repository.js';
import { LedgerHeadsJob } from '../../src/custody/ledger/ledger-heads.job.js';
import { ChangeLog, SERVICE as NOBODY } from '../../src/organizations/index.js';
import { UnitOfWork, type Executor, type Statement } from '../../src/database/index.js';
import { generateMasterKey } from '../../src/vault/index.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { bringKey } from '../support/imported-key.js';
import { command } from '../support/operator.js';
import { rowsOf } from '../support/rows.js';
import { Device } from '../support/shared-wallet.js';
import { SplitWallets } from '../support/split-wallets.js';
import { newEmail, World } from '../support/world.js';

const LENGTH = 30;
const WRITERS = 50;

describe('the ledger of keys', () => {
  const masterKey = generateMasterKey();
  let test: TestApp;
  let world: World;
  let verifier: LedgerVerifier;
  let client: pg.Client;
  let connection: Executor;

  beforeAll(async () => {
    test = await startTestApp({ ownDatabase: true, masterKey, env: { ROLE: 'api' } });
    world = await World.create(test);
    verifier = test.app.get(LedgerVerifier);
    client = new pg.Client({ connectionString: test.databaseUrl });
    await client.connect();
    connection = {
      rows: async <R extends object>({ text }: Statement, values: readonly unknown[]) =>
        (await client.query<R>(text, [...values])).rows,
      execute: async () => 0,
    };
    for (let at = 0; at < LENGTH; at++) await write(at);
  });
  afterAll(async () => {
    await client.end();
    await test.close();
  });

  const write = (at: number, environmentId = world.environmentId): Promise<void> =>
    test.app.get(KeyLedger).recordAlone(environmentId, {
      operation: at % 2 ? 'sign' : 'derive',
      actor: at % 3 ? SERVICE : { type: 'user', id: world.ids.ownerUserId, sessionId: world.ids.ownerUserId },
      userId: world.ids.ownerUserId,
      keysId: world.environmentId,
      subject: { at, text: 'é😀', ratio: 0.1 + 0.2, big: 1e21, list: [null, true] },
      reason: 'test',
      digest: at % 4 ? Buffer.alloc(32, at) : null,
      verdict: 'allowed',
    });
  const sql = (text: string, ...values: unknown[]) => client.query(text, [world.environmentId, ...values]);
  const verify = () => verifier.verify(world.environmentId);

  /** What is found after a superuser, whom no trigger stops, has done something, which is then taken back. */
  async function foundAfter(tamper: () => Promise<unknown>, kept: Parameters<LedgerVerifier['verify']>[1] = []) {
    await client.query('BEGIN');
    await client.query('SET LOCAL session_replication_role = replica');
    await tamper();
    const { broken } = await verifier.verify(world.environmentId, kept, connection);
    await client.query('ROLLBACK');
    lastReason = broken?.reason;
    return broken?.sequence;
  }
  /** What was said to be wrong with the row that was found last. */
  let lastReason: string | undefined;

  it('verifies as written', async () => {
    expect(await verify()).toMatchObject({ count: LENGTH });
    expect((await verify()).broken).toBeUndefined();
  });

  it('of a missing environment does not verify, and one without rows does', async () => {
    const verify = (id: string) => command(test.app, 'ledger', 'verify', '--environment', id);
    const { organizationId } = world.ids;
    const none = `There is no environment ${organizationId}.\n`;
    expect(await verify(organizationId)).toEqual({ code: 1, stdout: '', stderr: none });
    const { environmentId: unused } = await World.create(test);
    expect(await verify(unused)).toMatchObject({ code: 0, stdout: expect.stringMatching(/ {2}0 rows .* ok\n$/) });
  });

  it(`holds up nobody for good, in whichever order ${WRITERS} at once write to it and to the trail`, async () => {
    const [ledger, changes] = [test.app.get(KeyLedger), test.app.get(ChangeLog)];
    const use = {
      operation: 'sign',
      actor: SERVICE,
      userId: world.ids.ownerUserId,
      keysId: world.environmentId,
      subject: {},
      reason: 'test',
    } as const;
    const note = {
      scope: { environmentId: world.environmentId },
      actor: NOBODY,
      action: 'test.noted',
      resource: { type: 'test', id: world.environmentId },
    } as const;
    await Promise.all(
      Array.from({ length: WRITERS }, (_, at) =>
        test.app.get(UnitOfWork).run(async (tx) => {
          if (at % 2) changes.note(note, tx);
          ledger.record(world.environmentId, { ...use, digest: null, verdict: 'allowed' }, tx);
          if (!(at % 2)) changes.note(note, tx);
        }),
      ),
    );
    expect((await verify()).broken).toBeUndefined();
  });

  it(`has one row after another, written by ${WRITERS} at once`, async () => {
    const before = (await verify()).count;
    await Promise.all(Array.from({ length: WRITERS }, (_, at) => write(at)));
    const after = await verify();
    expect([after.count, after.broken]).toEqual([before + WRITERS, undefined]);
  });

  it.each([
    "operation = 'export'",
    'id = gen_random_uuid()',
    "occurred_at = occurred_at + interval '1 microsecond'",
    "occurred_at = (to_char(occurred_at AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS.US') || '+00 BC')::timestamptz",
    "occurred_at = 'infinity'",
    `actor = '{"type":"system","id":null,"sessionId":"x"}'`,
    'user_id = gen_random_uuid()',
    'keys_id = gen_random_uuid()',
    'subject = subject || \'{"at": 99}\'',
    "reason = reason || '.'",
    'digest = sha256(hash)',
    "verdict = 'refused'",
    'previous_hash = sha256(previous_hash)',
    'hash = sha256(hash)',
  ])('shows the row where %s', async (set) => {
    const chained = /hash = /.test(set);
    for (const at of [1, 7, LENGTH]) {
      const alter = () => sql(`UPDATE key_ledger SET ${set} WHERE environment_id = $1 AND sequence = $2`, at);
      const found = await foundAfter(alter);
      expect(found).toBeGreaterThanOrEqual(at);
      expect(found).toBeLessThanOrEqual(at + 1);
      if (!chained) expect(lastReason).toBe('it is not as it was written');
    }
  });

  it.each([
    ['key_ledger', 'occurred_at'],
    ['key_ledger', 'previous_hash'],
    ['key_ledger', 'hash'],
    ['key_ledger_heads', 'hash'],
  ])('shows the row where %s lost its %s, if constraints are missing', async (table, column) => {
    const { count } = await verify();
    const [at, where] = table === 'key_ledger' ? [7, 'AND sequence = 7'] : [count, ''];
    const takeAway = async () => {
      await client.query(`ALTER TABLE ${table} ALTER ${column} DROP NOT NULL`);
      await sql(`UPDATE ${table} SET ${column} = NULL WHERE environment_id = $1 ${where}`);
    };
    expect(await foundAfter(takeAway)).toBe(at);
  });

  it('shows rows that are missing, swapped, cut off or added', async () => {
    const { count } = await verify();
    const remove = (at: number) => () => sql('DELETE FROM key_ledger WHERE environment_id = $1 AND sequence = $2', at);
    for (const at of [1, 11, count]) expect([await foundAfter(remove(at)), lastReason]).toEqual([at, 'it is missing']);
    const swap = async () => {
      await sql('UPDATE key_ledger SET sequence = 1000 + sequence WHERE environment_id = $1 AND sequence IN (5, 6)');
      await sql('UPDATE key_ledger SET sequence = 1011 - sequence WHERE environment_id = $1 AND sequence > 1000');
    };
    expect([await foundAfter(swap), lastReason]).toEqual([5, 'it does not follow the row before it']);
    const cut = () => sql('DELETE FROM key_ledger WHERE environment_id = $1 AND sequence > 20');
    expect([await foundAfter(cut), lastReason]).toEqual([21, 'it is missing']);
    const add = () =>
      sql(`INSERT INTO key_ledger SELECT environment_id, sequence + 1, gen_random_uuid(), occurred_at, operation, actor,
             user_id, keys_id, subject, reason, digest, verdict, hash, sha256(hash)
           FROM key_ledger WHERE environment_id = $1 ORDER BY sequence DESC LIMIT 1`);
    expect([await foundAfter(add), lastReason]).toEqual([count + 1, 'it is not as it was written']);
  });

  it('shows the ledger of another environment in its place, or its head', async () => {
    const { environmentId } = await World.create(test);
    for (let at = 0; at < LENGTH; at++) await write(at, environmentId);
    expect(await verifier.verify(environmentId)).toMatchObject({ count: LENGTH, environmentId });
    const replace = (table: string) => async () => {
      await sql(`DELETE FROM ${table} WHERE environment_id = $1`);
      await sql(`UPDATE ${table} SET environment_id = $1 WHERE environment_id = $2`, environmentId);
    };
    const head = replace('key_ledger_heads');
    const whole = () => head().then(replace('key_ledger'));
    const behind = 'it stands behind the head of the ledger';
    expect([await foundAfter(whole), lastReason]).toEqual([1, 'it is not as it was written']);
    expect([await foundAfter(head), lastReason]).toEqual([LENGTH + 1, behind]);
  });

  const copy = (at: number, to: number | string) =>
    sql(
      `INSERT INTO key_ledger SELECT environment_id, $3, id, occurred_at, operation, actor, user_id, keys_id, subject,
         'forged', digest, verdict, previous_hash, hash FROM key_ledger WHERE environment_id = $1 AND sequence = $2`,
      at,
      to,
    );
  const LEAST = '-9223372036854775808';

  it.each([0, -1, LEAST])(
    'accepts no row with the number %s, and shows one if constraints are missing',
    async (number) => {
      await expect(copy(1, number)).rejects.toThrow(/key_ledger_sequence/);
      const plant = async () => {
        await client.query('ALTER TABLE key_ledger DROP CONSTRAINT key_ledger_sequence');
        await copy(1, number);
      };
      expect([await foundAfter(plant), lastReason]).toEqual([Number(number), 'it stands before the first row']);
    },
  );

  it('shows a row behind its head, be it the next or one with any number', async () => {
    const { count } = await verify();
    for (const number of [count + 2, count + 7000, '9223372036854775807']) {
      const behind = [Number(number), 'it stands behind the head of the ledger'];
      expect([await foundAfter(() => copy(count, number)), lastReason]).toEqual(behind);
    }
    const unmoved = () =>
      sql(`UPDATE key_ledger_heads h SET sequence = k.sequence, hash = k.hash FROM key_ledger k
           WHERE h.environment_id = $1 AND k.environment_id = $1 AND k.sequence = ${count - 1}`);
    expect([await foundAfter(unmoved), lastReason]).toEqual([count, 'it stands behind the head of the ledger']);
  });

  it('shows a row that has the number of another, wherever its pages end', async () => {
    const rows = test.app.get(KeyLedgerRepository);
    const walk: KeyLedgerRepository['walk'] = (id, from, limit, on) => rows.walk(id, from, Math.min(limit, 7), on);
    const paged = new LedgerVerifier({ walk, findHead: rows.findHead.bind(rows) } as KeyLedgerRepository);
    const { count } = await verify();
    expect(await paged.verify(world.environmentId)).toEqual(await verify());
    for (let at = 1; at <= count; at++) {
      await client.query('BEGIN');
      await client.query('SET LOCAL session_replication_role = replica');
      await client.query('ALTER TABLE key_ledger DROP CONSTRAINT key_ledger_pkey');
      await sql('INSERT INTO key_ledger SELECT * FROM key_ledger WHERE environment_id = $1 AND sequence = $2', at);
      const { broken } = await paged.verify(world.environmentId, [], connection);
      await client.query('ROLLBACK');
      expect(broken).toEqual({ sequence: at, reason: 'it is there more than once' });
    }
  });

  it('with a row before its first one is named by the command', async () => {
    const { environmentId } = await World.create(test);
    const use = { operation: 'sign', actor: SERVICE, userId: environmentId, keysId: environmentId } as const;
    const rest = { subject: {}, reason: 'test', digest: null, verdict: 'allowed' };
    await test.app.get(KeyLedger).recordAlone(environmentId, { ...use, ...rest });
    await client.query('ALTER TABLE key_ledger DROP CONSTRAINT key_ledger_sequence');
    await client.query(
      `INSERT INTO key_ledger SELECT environment_id, 0, id, occurred_at, operation, actor, user_id, keys_id, subject,
         'forged', digest, verdict, previous_hash, hash FROM key_ledger WHERE environment_id = $1`,
      [environmentId],
    );
    const { code, stdout } = await command(test.app, 'ledger', 'verify');
    expect(code).toBe(1);
    expect(stdout).toMatch(new RegExp(`^${environmentId} .* BROKEN at row 0: it stands before the first row$`, 'm'));
    await client.query('BEGIN');
    await client.query('SET LOCAL session_replication_role = replica');
    await client.query('DELETE FROM key_ledger WHERE environment_id = $1 AND sequence = 0', [environmentId]);
    await client.query('COMMIT');
    await client.query('ALTER TABLE key_ledger ADD CONSTRAINT key_ledger_sequence CHECK (sequence > 0) NOT VALID');
    expect((await verifier.verify(environmentId)).broken).toBeUndefined();
  });

  it('shows a ledger that was cut off together with its head, by a head that was kept', async () => {
    const { count, head } = await verify();
    const kept = [{ sequence: count, hash: head }];
    const cut = async () => {
      await sql('DELETE FROM key_ledger WHERE environment_id = $1 AND sequence > 20');
      await sql(`UPDATE key_ledger_heads h SET sequence = k.sequence, hash = k.hash FROM key_ledger k
                 WHERE h.environment_id = $1 AND k.environment_id = $1 AND k.sequence = 20`);
    };
    expect(await foundAfter(cut)).toBeUndefined();
    expect([await foundAfter(cut, kept), lastReason]).toEqual([21, 'it was cut off, with all that followed']);
    const other = [{ sequence: 20, hash: head }];
    expect(await foundAfter(async () => undefined, other)).toBe(20);
    expect(lastReason).toBe('it is not the one that was kept');
  });

  it('does not match one of two different heads kept of the same row, whichever was kept last', async () => {
    const { count, head } = await verify();
    const [own, other] = [head, '0'.repeat(64)].map((hash) => ({ sequence: count, hash }));
    for (const kept of [
      [own!, other!],
      [other!, own!],
    ]) {
      expect([await foundAfter(async () => undefined, kept), lastReason]).toEqual([
        count,
        'it is not the one that was kept',
      ]);
    }
  });

  it('is found by its rows although its head was removed', async () => {
    const { environmentId } = await World.create(test);
    const use = { operation: 'sign', actor: SERVICE, userId: environmentId, keysId: environmentId } as const;
    const rest = { subject: {}, reason: 'test', digest: null, verdict: 'allowed' };
    for (let at = 0; at < 3; at++) await test.app.get(KeyLedger).recordAlone(environmentId, { ...use, ...rest });
    const alone = async (text: string) => {
      await client.query('BEGIN');
      await client.query('SET LOCAL session_replication_role = replica');
      const { rows } = await client.query<Record<string, unknown>>(text, [environmentId]);
      await client.query('COMMIT');
      return rows;
    };
    await alone('DELETE FROM key_ledger_heads WHERE environment_id = $1');
    const found: string[] = [];
    for await (const id of verifier.environments()) found.push(id);
    expect(found).toContain(environmentId);
    expect((await verifier.verify(environmentId)).broken).toEqual({
      sequence: 1,
      reason: 'it stands behind the head of the ledger',
    });
    await alone(`INSERT INTO key_ledger_heads (environment_id, sequence, previous_hash, hash)
      SELECT environment_id, sequence, previous_hash, hash FROM key_ledger WHERE environment_id = $1
      ORDER BY sequence DESC LIMIT 1`);
    expect((await verifier.verify(environmentId)).broken).toBeUndefined();
  });

  it('is not changed through the database', async () => {
    for (const text of ['UPDATE key_ledger SET reason = reason', 'DELETE FROM key_ledger', 'TRUNCATE key_ledger']) {
      await expect(client.query(text)).rejects.toThrow(/never changed or removed/);
    }
  });

  it('is verified by the command, with the lines of the log or of the command itself', async () => {
    const lines: string[] = [];
    const print = jest.spyOn(console, 'log').mockImplementation((line: string) => void lines.push(line));
    const job = test.app.get(LedgerHeadsJob);
    const logged: string[] = [];
    const log = (job as unknown as { log: { log(line: string): void } }).log;
    jest.spyOn(log, 'log').mockImplementation((line) => void logged.push(line));
    try {
      await ledgerVerify(test.app, []);
      await job.run();
      const { count, head } = await verify();
      expect(lines.join('\n')).toContain(`${world.environmentId}  ${count} rows  head ${head}  ok`);
      const folder = await mkdtemp(join(tmpdir(), 'ledger-'));
      for (const [name, text] of Object.entries({ printed: lines.join('\n'), logged: logged.join('\n') })) {
        const file = join(folder, name);
        await writeFile(file, text);
        await expect(ledgerVerify(test.app, ['--heads', file])).resolves.toBeUndefined();
        const ofOne = ['--environment', world.environmentId, '--heads', file];
        await expect(ledgerVerify(test.app, ofOne)).resolves.toBeUndefined();
        await writeFile(file, text.replaceAll(world.environmentId, randomUUID()));
        await expect(ledgerVerify(test.app, ofOne)).rejects.toThrow(/no head of environment/);
        await writeFile(file, text.replaceAll(head, '0'.repeat(64)));
        await expect(ledgerVerify(test.app, ['--heads', file])).rejects.toThrow(/not as written/);
      }
      await writeFile(join(folder, 'empty'), 'nothing');
      await expect(ledgerVerify(test.app, ['--heads', join(folder, 'empty')])).rejects.toThrow(/no line/);
      await expect(ledgerVerify(test.app, ['--heads', join(folder, 'none')])).rejects.toThrow(/readable file/);
      await expect(ledgerVerify(test.app, ['--environment', 'x'])).rejects.toThrow(/id of an environment/);
    } finally {
      print.mockRestore();
    }
  });

  it('has a row for everything that is done with keys', async () => {
    const there = await World.create(test);
    const person = await there.signIn(newEmail());
    const operations = async () =>
      (
        await rowsOf<{ operation: string; type: string }>(
          test,
          `SELECT operation, actor->>'type' AS type FROM key_ledger WHERE environment_id = $1 ORDER BY sequence`,
          [there.environmentId],
        )
      ).map(({ operation, type }) => `${operation} ${type}`);
    const embeddedWallets = [{ embeddedWalletProvider: 'keyvaulthd', chain: 'EVM' }];
    const token = person.jwt;
    await there.anonymous.post(there.sdk('/users/embeddedWallets'), { embeddedWallets }, { token, expect: 201 });
    const request = { identifier: person.userId, type: 'id', chains: ['EVM', 'SOL'] };
    await there.api.post(there.path('/embeddedWallets'), request, { expect: 201 });
    // Nothing is lacking any more.
    await there.api.post(there.path('/embeddedWallets'), request, { expect: 200 });
    const [wallet] = await rowsOf<{ id: string }>(test, "SELECT id FROM wallets WHERE user_id = $1 AND chain = 'EVM'", [
      person.userId,
    ]);
    const own = there.sdk(`/users/embeddedWallets/${wallet!.id}`);
    await there.anonymous.post(`${own}/sign`, { kind: 'message', message: 'x' }, { token, expect: 200 });
    await there.anonymous.delete(`${own}/softDelete`, { token, expect: 204 });
    await there.anonymous.put(`${own}/restore`, undefined, { token, expect: 204 });
    expect(await operations()).toEqual(['create user', 'derive token', 'sign user', 'recover user']);
    const rotated = await startTestApp({
      databaseUrl: test.databaseUrl,
      masterKey: `${generateMasterKey()},${masterKey}`,
      env: { ROLE: 'api' },
    });
    await rotated.app.get(KeyRotation).rewrapAll();
    await rotated.close();
    await there.api.delete(there.path(`/users/${person.userId}`), { expect: 204 });
    expect((await operations()).slice(4)).toEqual(['rewrap system', 'delete system']);
    expect((await verifier.verify(there.environmentId)).broken).toBeUndefined();
  });

  it('names the keys of a wallet that was hidden and is back, whether imported, shared or split', async () => {
    const there = await World.create(test);
    const split = await SplitWallets.of(there);
    const { jwt: token, userId } = split.owner;
    const embeddedWallets = [{ embeddedWalletProvider: 'keyvaulthd', chain: 'EVM' }];
    await there.anonymous.post(there.sdk('/users/embeddedWallets'), { embeddedWallets }, { token, expect: 201 });
    expect((await bringKey(there, split.owner, randomBytes(32))).status).toBe(201);
    await new Device(there, token).create('TWO_OF_TWO');
    await split.make();
    const made = await rowsOf<{ id: string; keysId: string }>(
      test,
      'SELECT id, seed_id AS "keysId" FROM wallets WHERE environment_id = $1 AND user_id = $2 ORDER BY id',
      [there.environmentId, userId],
    );
    expect(made).toHaveLength(4);
    for (const { id } of made)
      await there.anonymous.delete(there.sdk(`/users/embeddedWallets/${id}/softDelete`), { token, expect: 204 });
    await there.api.post(there.path('/wallets/recover'), { userId }, { expect: 200 });
    const recovered = await rowsOf<{ id: string; keysId: string }>(
      test,
      `SELECT subject->>'walletId' AS id, keys_id AS "keysId" FROM key_ledger
       WHERE environment_id = $1 AND operation = 'recover' ORDER BY 1`,
      [there.environmentId],
    );
    expect(recovered).toEqual(made);
  });

  it('has no row of what was rolled back', async () => {
    const { count } = await verify();
    const failure = new Error('rolled back');
    const work = test.app.get(UnitOfWork).run(async (tx) => {
      const about = { actor: SERVICE, userId: world.ids.ownerUserId, keysId: world.environmentId, subject: {} };
      const use = { operation: 'sign', ...about, reason: 'test', digest: null, verdict: 'allowed' } as const;
      test.app.get(KeyLedger).record(world.environmentId, use, tx);
      throw failure;
    });
    await expect(work).rejects.toBe(failure);
    expect((await verify()).count).toBe(count);
  });
});
