import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { UnitOfWork, type EnvironmentId } from '../../src/database/index.js';
import type { ExportRow } from '../../src/reporting/exports/export.entities.js';
import { ExportsRepository } from '../../src/reporting/exports/exports.repository.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { rowsOf } from '../support/rows.js';
import { World } from '../support/world.js';

describe('a step of an export', () => {
  let test: TestApp;
  let world: World;
  let exports: ExportsRepository;
  let here: EnvironmentId;
  let elsewhere: EnvironmentId;

  beforeAll(async () => {
    test = await startTestApp({ ownDatabase: true, env: { ROLE: 'api' } });
    world = await World.create(test);
    [here, elsewhere] = [world.environmentId, world.ids.environments.live];
    exports = test.app.get(ExportsRepository, { strict: false });
  });
  afterAll(() => test.close());

  const rowOf = async (id: string): Promise<ExportRow> => (await exports.find(here, { id }))!;

  /** An export of users with one part that failed twice, but for what is given. */
  async function begun(set = "status = 'pending'"): Promise<ExportRow> {
    const id = randomUUID();
    await rowsOf(
      test,
      `INSERT INTO exports (environment_id, id, format, model, parts, ends, position, rows, failures, expires_at)
       VALUES ($1, $2, 'csv', 'users', '{first}', ARRAY[$3::uuid], $3, 2000, 2, now() + interval '1 day')`,
      [here, id, randomUUID()],
    );
    await rowsOf(test, `UPDATE exports SET ${set} WHERE id = $1`, [id]);
    return rowOf(id);
  }

  const step = (isLast = false) => ({ part: randomUUID(), position: randomUUID(), rows: 10, isLast });

  it('counts for the worker that has seen all parts and the last record, once of fifty, and ends its failures', async () => {
    const row = await begun();
    const next = step();
    for (const stale of [
      { ...row, parts: [] },
      { ...row, position: randomUUID() },
    ])
      expect(await exports.advance(here, stale, next)).toBe(false);
    expect(await exports.advance(elsewhere, row, next)).toBe(false);
    const steps = await Promise.all(Array.from({ length: 50 }, () => exports.advance(here, row, next)));
    expect(steps.filter(Boolean)).toHaveLength(1);
    const after = await rowOf(row.id);
    expect(after).toMatchObject({ status: 'pending', parts: ['first', next.part], rows: 2010, failures: 0 });
    expect([after.position, after.ends]).toEqual([next.position, [row.position, next.position]]);
    expect(await exports.advance(here, after, step(true))).toBe(true);
    expect(await rowOf(row.id)).toMatchObject({ status: 'completed', completedAt: expect.any(Date) });
  });

  it('does not count once the export has ended, and no failure is written then', async () => {
    for (const status of ['completed', 'failed']) {
      const row = await begun(`status = '${status}'`);
      expect([status, await exports.advance(here, row, step())]).toEqual([status, false]);
      await exports.fail(here, row.id, { most: 3, error: 'e', pauseSeconds: 1 });
      expect(await rowOf(row.id)).toMatchObject({ status, failures: 2, error: null });
    }
    const failing = await begun();
    await exports.fail(elsewhere, failing.id, { most: 3, error: 'e', pauseSeconds: 1 });
    await exports.fail(here, failing.id, { most: 4, error: 'e', pauseSeconds: 1 });
    expect(await rowOf(failing.id)).toMatchObject({ status: 'pending', failures: 3, error: null });
    await exports.fail(here, failing.id, { most: 4, error: 'e', pauseSeconds: 1 });
    expect(await rowOf(failing.id)).toMatchObject({ status: 'failed', failures: 4, error: 'e' });
  });

  it('is for no environment that is deleted, nor is its file handed out', async () => {
    const [row, file] = [await begun(), await begun("status = 'completed'")];
    const tokenHash = createHash('sha256').update(randomUUID()).digest();
    await test.app
      .get(UnitOfWork)
      .run((tx) => exports.openDownload(here, { tokenHash, exportId: file.id, ttlSeconds: 60 }, tx));
    await rowsOf(test, 'UPDATE environments SET deleted_at = now() WHERE id = $1', [here]);
    try {
      expect(await exports.claim(60)).toBeNull();
      expect(await exports.advance(here, row, step())).toBe(false);
      expect(await exports.isWanted(here, row.id)).toBe(false);
      expect(await exports.redeem(here, tokenHash)).toBeNull();
      expect(await exports.listKept([{ environmentId: here, exportId: row.id }])).toEqual([]);
    } finally {
      await rowsOf(test, 'UPDATE environments SET deleted_at = NULL WHERE id = $1', [here]);
    }
    expect(await exports.redeem(elsewhere, tokenHash)).toBeNull();
    expect(await exports.redeem(here, tokenHash)).toMatchObject({ id: file.id, parts: ['first'] });
    expect(await exports.redeem(here, tokenHash)).toBeNull();
    expect(await exports.listKept([{ environmentId: here, exportId: row.id }])).toHaveLength(1);
  });
});
