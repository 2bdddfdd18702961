import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { UnitOfWork } from '../../src/database/index.js';
import { ExportsRepository } from '../../src/reporting/exports/exports.repository.js';
import { RoomsRepository } from '../../src/waas/rooms/rooms.repository.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { fillRows, rowsOf } from '../support/rows.js';
import { newEmail, World } from '../support/world.js';

/** The oldest first, as they come. */
const ROOMS = `
  INSERT INTO ceremony_rooms (environment_id, id, user_id, session_id, type, state, subject, expires_at)
  SELECT $1, gen_random_uuid(), $2, gen_random_uuid(), 'threshold', 'running', '{"released": true}', now() - (5 - n) * interval '5 min'
  FROM generate_series(1, 4) AS n`;
const EXPORTS = `
  INSERT INTO exports (environment_id, id, format, model, due_at, expires_at)
  SELECT $1, gen_random_uuid(), 'csv', 'users', now() - (5 - n) * interval '1 min', now() + interval '1 day'
  FROM generate_series(1, 4) AS n`;

describe('what is taken one by one', () => {
  let test: TestApp;
  let world: World;

  beforeAll(async () => {
    test = await startTestApp({ ownDatabase: true, env: { ROLE: 'api' } });
    world = await World.create(test);
  });
  afterAll(() => test.close());

  /** As the statistics say that were made when there was one row. */
  const thinkOfOne = (table: string): Promise<void> =>
    fillRows(test, `UPDATE pg_class SET reltuples = 1, relpages = 1 WHERE oid = '${table}'::regclass`);
  const left = async (table: string, condition: string): Promise<number> =>
    (await rowsOf(test, `SELECT 1 FROM ${table} WHERE environment_id = $1 AND ${condition}`, [world.environmentId]))
      .length;

  it('leaves the other rooms of which no answer came, also where the table is thought to have one row', async () => {
    const { userId } = await world.signIn(newEmail());
    await rowsOf(test, ROOMS, [world.environmentId, userId]);
    await thinkOfOne('ceremony_rooms');
    const rooms = test.app.get(RoomsRepository, { strict: false });
    const work = test.app.get(UnitOfWork, { strict: false });
    for (const running of [3, 2, 1, 0]) {
      expect(await work.run((tx) => rooms.takeUnanswered(tx))).not.toBeNull();
      expect(await left('ceremony_rooms', "state = 'running'")).toBe(running);
    }
    expect(await work.run((tx) => rooms.takeUnanswered(tx))).toBeNull();
  });

  it('leaves the other exports to other workers, also where the table is thought to have one row', async () => {
    await rowsOf(test, EXPORTS, [world.environmentId]);
    await thinkOfOne('exports');
    const exports = test.app.get(ExportsRepository, { strict: false });
    for (const due of [3, 2, 1, 0]) {
      expect(await exports.claim(60)).not.toBeNull();
      expect(await left('exports', 'due_at <= now()')).toBe(due);
    }
  });
});
