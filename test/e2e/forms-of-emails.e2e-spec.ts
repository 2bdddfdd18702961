import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { migrations } from '../../migrations/index.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { fillRows, rowsOf } from '../support/rows.js';
import { World } from '../support/world.js';

let test: TestApp;

beforeAll(async () => {
  test = await startTestApp({ ownDatabase: true, env: { ROLE: 'api' } });
});
afterAll(() => test.close());

it('is backfilled for existing addresses without blocking readers', async () => {
  const world = await World.create(test);
  const answer = await fetch(`${test.url}/api/v0${world.path('/users')}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${world.token}` },
    body: JSON.stringify({ email: 'Ann@bücher.example' }),
  });
  expect(answer.status).toBe(201);
  await fillRows(test, 'ALTER TABLE credentials DROP COLUMN email_key');
  const runner = test.app.get(DataSource).createQueryRunner();
  const steps: { locks: boolean; fills: boolean }[] = [];
  try {
    for (const Migration of migrations.filter(({ name }) => /^(Compare|Fill|Index)\w*Emails/.test(name))) {
      await runner.startTransaction();
      await new Migration().up(runner);
      const [step] = (await runner.query(
        `SELECT EXISTS (SELECT FROM credentials
             WHERE email_key IS NOT NULL AND xmin::text = pg_current_xact_id_if_assigned()::xid::text) AS fills,
           EXISTS (SELECT FROM pg_locks WHERE pid = pg_backend_pid() AND relation = 'credentials'::regclass
             AND mode = 'AccessExclusiveLock') AS locks`,
      )) as { locks: boolean; fills: boolean }[];
      steps.push(step!);
      await runner.commitTransaction();
    }
  } finally {
    await runner.release();
  }
  expect(steps.filter(({ fills }) => fills)).toEqual([{ fills: true, locks: false }]);
  const keys = await rowsOf(test, 'SELECT email_key AS key FROM credentials WHERE email_key IS NOT NULL');
  expect(keys).toEqual([{ key: 'ann@xn--bcher-kva.example' }]);
});
