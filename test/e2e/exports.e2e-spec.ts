import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { parse } from 'csv-parse/sync';
import { DataSource } from 'typeorm';
import { Clock } from '../../src/common/clock.js';
import { ExportStorage } from '../../src/reporting/exports/storage/export-storage.js';
import { mintEnvironmentId } from '../../src/auth/index.js';
import { ExportWriter } from '../../src/reporting/exports/export-writer.js';
import { ExportsJob } from '../../src/reporting/exports/exports.job.js';
import { ExportsPurge } from '../../src/reporting/exports/exports-purge.job.js';
import { ExportsRepository } from '../../src/reporting/exports/exports.repository.js';
import { PAGE } from '../../src/reporting/exports/export-records.repository.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { TestClient } from '../support/client.js';
import { ObjectStoreServer } from '../support/object-store.js';
import { joined } from '../support/invites.js';
import { sessionsWaiting } from '../support/lock-waits.js';
import { provenOwner } from '../support/proven-owner.js';
import { eventually } from '../support/receiver.js';
import { fillRows, rowsOf } from '../support/rows.js';
import { addDevice, refreshed, roomInStep } from '../support/second-factor.js';
import { newEmail, World } from '../support/world.js';

interface Shown {
  id: string;
  status: string;
  rows: number;
  downloadUrl?: string;
  error?: string;
  startedAt: string | null;
  completedAt: string | null;
}

const PLANTED = '=HYPERLINK("http://evil.example";"click")';

describe('exports', () => {
  let folder: string;
  let test: TestApp;
  let world: World;

  const start = (): Promise<TestApp> =>
    startTestApp({ databaseUrl: test?.databaseUrl, ownDatabase: !test, env: { ROLE: 'api', DATA_DIR: folder } });
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'exports-'));
    test = await start();
    world = await World.create(test);
  });
  afterAll(async () => {
    await test.close();
    await rm(folder, { recursive: true, force: true });
  });

  const write = (of: TestApp = test): Promise<void> => of.app.get(ExportsJob).run();
  const create = async (of: World, model = 'users'): Promise<Shown> =>
    (await of.api.post<Shown>(of.path('/exports'), { format: 'csv', model }, { expect: 201 })).body;
  const get = async (of: World, id: string): Promise<Shown> =>
    (await of.api.get<Shown>(of.path(`/exports/${id}`), { expect: 200 })).body;
  const addressOf = async (of: World, id: string): Promise<string> => {
    const { headers } = await of.api.get(of.path(`/exports/${id}/download`), { expect: 302 });
    return new URL(headers.get('location')!).pathname;
  };
  const fetchFile = (path: string, method = 'GET'): Promise<Response> => fetch(`${test.url}${path}`, { method });
  const records = (text: string): Record<string, string>[] => parse(text, { columns: true });
  const makeDue = (id: string): Promise<unknown> =>
    rowsOf(test, 'UPDATE exports SET due_at = now() WHERE id = $1', [id]);
  const fill = (of: World, count: number): Promise<void> =>
    fillRows(
      test,
      `INSERT INTO users (environment_id, id, email)
       SELECT $1, gen_random_uuid(), 'user-' || n || '@example.com' FROM generate_series(1, $2::int) AS n`,
      [of.environmentId, count],
    );

  it('contain every user with formulas escaped, and are downloaded once, by redirect', async () => {
    const own = await World.create(test);
    await own.api.post(own.path('/users'), { email: newEmail(), alias: PLANTED.slice(0, 3) }, { expect: 201 });
    await rowsOf(test, 'UPDATE users SET first_name = $2 WHERE environment_id = $1', [own.environmentId, PLANTED]);
    await fill(own, 2 * PAGE + 500);
    const asked = await create(own);
    expect(asked).toMatchObject({ status: 'pending', rows: 0, startedAt: null, completedAt: null });
    await own.api.get(own.path(`/exports/${asked.id}/download`), { expect: 404 });
    await write();
    const done = await get(own, asked.id);
    expect(done).toMatchObject({ status: 'completed', rows: 2 * PAGE + 501 });
    expect(new URL(done.downloadUrl!).pathname).toBe(`/api/v0${own.path(`/exports/${asked.id}/download`)}`);

    const path = await addressOf(own, asked.id);
    expect((await fetchFile(path, 'HEAD')).status).toBe(404);
    const answers = await Promise.all(Array.from({ length: 20 }, () => fetchFile(path)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...new Array<number>(19).fill(404)]);
    const file = answers.find(({ status }) => status === 200)!;
    expect(file.headers.get('content-disposition')).toContain(`users-${asked.id}.csv`);
    expect(file.headers.get('cache-control')).toBe('no-store');
    const users = records(await file.text());
    expect(users).toHaveLength(2 * PAGE + 501);
    expect(new Set(users.map(({ id }) => id)).size).toBe(2 * PAGE + 501);
    expect(users.filter((user) => user['firstName'] === `'${PLANTED}`)).toHaveLength(1);
    expect((await fetchFile(path)).status).toBe(404);
  });

  it('of visits contain the wallets that visited', async () => {
    const own = await World.create(test);
    const visit = { address: '0xabc', chain: 'EVM', provider: 'browserExtension', walletName: '@SUM(1)' };
    await own.anonymous.post(own.sdk('/connect'), { ...visit, authMode: 'connect-only' }, { expect: 202 });
    const { id } = await create(own, 'visits');
    await write();
    const [record] = records(await (await fetchFile(await addressOf(own, id))).text());
    expect(record).toMatchObject({ address: '0xabc', walletName: "'@SUM(1)", visits: '1', authMode: 'connect-only' });
    const listed = await own.api.get<{ exports: Shown[] }>(own.path('/exports?model=users'), { expect: 200 });
    expect(listed.body.exports).toEqual([]);
  });

  it('require a recent sign-in or proof of members, and record who requested and who downloaded', async () => {
    const own = await World.create(test);
    const body = { format: 'csv', model: 'users' };
    const holder = new TestClient(test.url, own.ownerToken);
    const personal = await holder.post<{ code: string }>(own.path('/exports'), body, { expect: 403 });
    expect(personal.body.code).toBe('fresh_proof_required');
    const { token, elevated, sessionId } = await provenOwner(own, 'console:settings:update');
    const session = new TestClient(test.url, token);
    await rowsOf(test, "UPDATE sessions SET created_at = created_at - interval '10 min' WHERE id = $1", [sessionId]);
    const refused = await session.post<{ code: string }>(own.path('/exports'), body, { expect: 403 });
    expect(refused.body.code).toBe('fresh_proof_required');
    const headers = { 'x-elevated-access-token': elevated };
    const { body: made } = await session.post<Shown>(own.path('/exports'), body, { expect: 201, headers });
    await write();
    await session.get(own.path(`/exports/${made.id}/download`), { expect: 403 });
    await session.get(own.path(`/exports/${made.id}/download`), { expect: 302, headers });
    const actions = await rowsOf<{ action: string }>(
      test,
      'SELECT action FROM audit_records WHERE resource_id = $1 ORDER BY action',
      [made.id],
    );
    expect(actions.map(({ action }) => action)).toEqual(['export.created', 'export.downloaded']);
  });

  it('resume where a worker died between writing a part and recording it, without duplicate or missing users', async () => {
    const own = await World.create(test);
    const count = 3 * PAGE + 200;
    await fill(own, count);
    const { id } = await create(own);
    // The moment of death: the second part is on the disk, and nobody knows.
    const dying = test.app.get(ExportsRepository);
    const { advance } = dying;
    let steps = 0;
    dying.advance = async (...step) => {
      if (step[1].id === id && ++steps === 2) throw new Error('killed');
      return advance.apply(dying, step);
    };
    try {
      await write();
    } finally {
      dying.advance = advance;
    }
    expect(await get(own, id)).toMatchObject({ status: 'pending', rows: PAGE });
    await makeDue(id);
    const heir = await startTestApp({ databaseUrl: test.databaseUrl, env: { ROLE: 'api', DATA_DIR: folder } });
    try {
      await Promise.all([write(heir), write()]);
      await eventually('one of the two has written the end', async () => {
        await write();
        return (await get(own, id)).status === 'completed';
      });
    } finally {
      await heir.close();
    }
    expect(await get(own, id)).toMatchObject({ status: 'completed', rows: count });
    const users = records(await (await fetchFile(await addressOf(own, id))).text());
    expect([users.length, new Set(users.map((user) => user['id'])).size]).toEqual([count, count]);
  });

  it('are processed by one of two concurrent workers: the other adds no part to the file', async () => {
    const own = await World.create(test);
    await fill(own, PAGE + 100);
    const { id } = await create(own);
    const writer = test.app.get(ExportWriter);
    const scope = mintEnvironmentId(own.environmentId);
    for (let round = 0; round < 2; round++) {
      await Promise.all(Array.from({ length: 10 }, () => writer.step(scope, id)));
    }
    expect(await get(own, id)).toMatchObject({ status: 'completed', rows: PAGE + 100 });
    const users = records(await (await fetchFile(await addressOf(own, id))).text());
    expect(new Set(users.map((user) => user['id'])).size).toBe(PAGE + 100);
    expect(users).toHaveLength(PAGE + 100);
  });

  it('are given up when they cannot be written, and say so', async () => {
    const { id } = await create(world);
    const storage = test.app.get(ExportStorage);
    const { put } = storage;
    storage.put = () => Promise.reject(new Error('the disk is full'));
    try {
      for (let round = 0; round < 5; round++) {
        await makeDue(id);
        await write();
      }
    } finally {
      storage.put = put;
    }
    const given = await get(world, id);
    expect(given).toMatchObject({ status: 'failed', error: 'The file could not be written.' });
    expect(Date.parse(given.startedAt!)).toBeGreaterThan(0);
    expect(given.downloadUrl).toBeUndefined();
    await world.api.get(world.path(`/exports/${id}/download`), { expect: 404 });
  });

  it('are sealed on disk: unreadable there, and refused if altered', async () => {
    const own = await World.create(test);
    await own.api.post(own.path('/users'), { email: 'canary@example.com' }, { expect: 201 });
    const { id } = await create(own);
    await write();
    const place = join(folder, 'exports', own.environmentId, id);
    const [part] = await readdir(place);
    const bytes = await readFile(join(place, part!));
    expect(bytes.includes('canary@example.com')).toBe(false);
    bytes[bytes.length - 1]! ^= 1;
    await writeFile(join(place, part!), bytes);
    const refused = await fetchFile(await addressOf(own, id));
    expect(refused.status).toBe(503);
    expect(await refused.json()).toMatchObject({ code: 'export_file_unreadable' });
  });

  it('break off if a later part is missing, so that a partial file is not taken for the whole', async () => {
    const own = await World.create(test);
    await fill(own, PAGE + 10);
    const id = await done(own);
    const place = join(folder, 'exports', own.environmentId, id);
    const later = (await readdir(place)).find((name) => name.startsWith('1-'));
    await rm(join(place, later!));
    const broken = fetchFile(await addressOf(own, id)).then((answer) => answer.text());
    await expect(broken).rejects.toThrow();
  });

  it('have URLs that expire after five minutes, and are deleted with their files after a day', async () => {
    const own = await World.create(test);
    const late = await addressOf(own, await done(own));
    const [left] = await rowsOf<{ seconds: number }>(
      test,
      'SELECT extract(epoch FROM expires_at - now())::float AS seconds FROM export_downloads WHERE environment_id = $1',
      [own.environmentId],
    );
    expect(left!.seconds).toBeLessThanOrEqual(300);
    // Less by the time of one call on a busy machine.
    expect(left!.seconds).toBeGreaterThan(240);
    await rowsOf(test, `UPDATE export_downloads SET expires_at = now() - interval '1 s' WHERE environment_id = $1`, [
      own.environmentId,
    ]);
    expect((await fetchFile(late)).status).toBe(404);

    const old = await create(own);
    await rowsOf(test, "UPDATE exports SET expires_at = now() - interval '1 second' WHERE id = $1", [old.id]);
    await test.app.get(ExportsPurge).run();
    await own.api.get(own.path(`/exports/${old.id}`), { expect: 404 });
    await test.app.get(ExportStorage).removeOlderThan(new Date(Date.now() + 60_000), () => false);
    expect(await readdir(join(folder, 'exports', own.environmentId))).toEqual([]);
  });

  it.each([
    ['ahead', 365],
    ['behind', -365],
  ])('keep their files for a day, though the clock of the worker is a year %s', async (_where, days) => {
    const own = await World.create(test);
    const id = await done(own);
    const wrong = jest.spyOn(test.app.get(Clock), 'timestamp').mockReturnValue(Date.now() + days * 86_400_000);
    try {
      await test.app.get(ExportsJob).sweep();
    } finally {
      wrong.mockRestore();
    }
    expect((await fetchFile(await addressOf(own, id))).status).toBe(200);
  });

  it('that are cleared away while fifty ask for their URL are not found', async () => {
    const own = await World.create(test);
    const { id } = await create(own);
    await write();
    const clearing = test.app.get(DataSource).createQueryRunner();
    await clearing.startTransaction();
    await clearing.query('DELETE FROM exports WHERE id = $1', [id]);
    const asking = Promise.all(Array.from({ length: 50 }, () => own.api.get(own.path(`/exports/${id}/download`))));
    await eventually('they wait', async () => (await sessionsWaiting(test.databaseUrl)) > 4);
    await clearing.commitTransaction();
    await clearing.release();
    expect(new Set((await asking).map(({ status }) => status))).toEqual(new Set([404]));
  });

  it('are kept for a day by the clock of the database, though that of the instance is an hour ahead', async () => {
    const own = await World.create(test);
    const ahead = jest.spyOn(test.app.get(Clock), 'timestamp').mockReturnValue(Date.now() + 3_600_000);
    const { id } = await create(own).finally(() => ahead.mockRestore());
    const kept = 'SELECT expires_at - created_at = interval \'24 hours\' AS "isDay" FROM exports WHERE id = $1';
    expect(await rowsOf(test, kept, [id])).toEqual([{ isDay: true }]);
  });

  it('cannot be downloaded while a part is rewritten, even by an earlier URL', async () => {
    const own = await World.create(test);
    const id = await done(own);
    const address = await addressOf(own, id);
    const takenBack =
      "UPDATE exports SET status = 'pending', completed_at = NULL, parts = '{}', ends = '{}' WHERE id = $1";
    await rowsOf(test, takenBack, [id]);
    expect((await fetchFile(address)).status).toBe(404);
    await own.api.get(own.path(`/exports/${id}/download`), { expect: 404 });
    await rowsOf(test, 'DELETE FROM exports WHERE id = $1', [id]);
  });

  it('are cancelled by deleting their environment: nothing is written, kept or downloaded any more', async () => {
    const own = await World.create(test);
    await fill(own, PAGE + 10);
    const address = await addressOf(own, await done(own));
    const { id } = await create(own);
    const storage = test.app.get(ExportStorage);
    const { put } = storage;
    storage.put = async (name, bytes) => {
      await put.call(storage, name, bytes);
      if (name.includes(id)) {
        await rowsOf(test, 'UPDATE environments SET deleted_at = now() WHERE id = $1', [own.environmentId]);
      }
    };
    try {
      await write();
    } finally {
      storage.put = put;
    }
    expect(await readdir(join(folder, 'exports', own.environmentId))).not.toContain(id);
    await makeDue(id);
    await write();
    const [row] = await rowsOf<{ rows: number; status: string }>(
      test,
      'SELECT rows, status FROM exports WHERE id = $1',
      [id],
    );
    expect(row).toEqual({ rows: 0, status: 'pending' });
    expect((await fetchFile(address)).status).toBe(404);
  });

  it('end when their project is deleted: the running one, the finished ones, and their files', async () => {
    const own = await World.create(test);
    await fill(own, PAGE + 10);
    const [finished, open] = [await done(own), await create(own)];
    const address = await addressOf(own, finished);
    const place = join(folder, 'exports', own.environmentId);
    const sweep = (): Promise<void> => test.app.get(ExportsJob).sweep();
    await sweep();
    expect(await readdir(place)).toEqual([finished]);
    await own.owner.post(`/organizations/${own.ids.organizationId}/projects`, { name: 'Another' }, { expect: 200 });
    await (await own.ownerSession()).delete(`/projects/${own.ids.projectId}`, { expect: 204 });
    await write();
    expect((await fetchFile(address)).status).toBe(404);
    const [row] = await rowsOf(test, 'SELECT rows, status FROM exports WHERE id = $1', [open.id]);
    expect(row).toEqual({ rows: 0, status: 'pending' });
    await sweep();
    expect(await readdir(place)).toEqual([]);
  });

  it('require a second factor of members if the organization uses them', async () => {
    const own = await World.create(test);
    const { consoleEnvironmentId } = own.ids;
    await roomInStep();
    const { email } = await joined(own, 'admin');
    await own.owner.put(`/organizations/${own.ids.organizationId}/mfaSettings/totp/enable`, undefined, { expect: 200 });
    const { jwt } = await own.signIn(email, { environmentId: consoleEnvironmentId });
    const asks = (token: string) =>
      new TestClient(test.url, token).post<Shown & { code: string }>(own.path('/exports'), {
        format: 'csv',
        model: 'users',
      });
    const refused = await asks(jwt);
    expect([refused.status, refused.body.code]).toEqual([403, 'member_factor_required']);
    expect(await rowsOf(test, 'SELECT 1 FROM exports WHERE environment_id = $1', [own.environmentId])).toEqual([]);
    await addDevice(own, jwt, consoleEnvironmentId);
    expect((await asks(await refreshed(own, jwt, consoleEnvironmentId))).status).toBe(201);
    await write();
  });

  it('are stored sealed in a configured bucket, and downloaded completely from there', async () => {
    const bucket = await ObjectStoreServer.start();
    const elsewhere = await startTestApp({
      databaseUrl: test.databaseUrl,
      env: { ROLE: 'api', DATA_DIR: folder, EXPORT_STORE: bucket.address() },
    });
    try {
      const own = await World.create(elsewhere);
      await fill(own, PAGE + 10);
      const { id } = await create(own);
      await write(elsewhere);
      expect(bucket.objects.size).toBe(2);
      for (const { bytes } of bucket.objects.values()) expect(bytes.includes('@example.com')).toBe(false);
      const path = await addressOf(own, id);
      const users = records(await (await fetch(elsewhere.url + path)).text());
      expect(new Set(users.map((user) => user['id'])).size).toBe(PAGE + 10);
      const next = await addressOf(own, id);
      bucket.faults = [503, 503, 503];
      expect((await fetch(elsewhere.url + next)).status).toBe(503);
    } finally {
      await elsewhere.close();
      await bucket.close();
    }
  });

  /** A finished export of its own. */
  async function done(of: World): Promise<string> {
    const { id } = await create(of);
    await write();
    return id;
  }

  it('are limited to twenty per environment, also with concurrent requests', async () => {
    const own = await World.create(test);
    const asked = await Promise.all(
      Array.from({ length: 50 }, () => own.api.post(own.path('/exports'), { format: 'csv', model: 'users' })),
    );
    expect(asked.filter(({ status }) => status === 201)).toHaveLength(20);
    expect(asked.filter(({ status }) => status === 422)).toHaveLength(30);
  });
});

describe('the address of a download', () => {
  it('can be guessed thirty times a minute at most, with other calls counted separately', async () => {
    const test = await startTestApp({ env: { ROLE: 'api', RATE_LIMIT_SCALE: '1' } });
    try {
      const guess = async (): Promise<number> =>
        (await fetch(`${test.url}/exports/downloads/${randomUUID()}/${randomUUID()}`)).status;
      const statuses: number[] = [];
      // A minute may begin anew in between.
      while (statuses.length < 90 && !statuses.includes(429)) statuses.push(await guess());
      expect(statuses.indexOf(429)).toBeGreaterThanOrEqual(30);
      expect(statuses.slice(0, 30).every((status) => status >= 400 && status < 500)).toBe(true);
      expect((await fetch(`${test.url}/api/v0/sdk/${randomUUID()}/networks`)).status).not.toBe(429);
    } finally {
      await test.close();
    }
  });
});
