import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { FillFormsOfLateEmails20261128131000 } from '../../migrations/20261128131000-fill-forms-of-late-emails.js';
import { migrations } from '../../migrations/index.js';
import { DevInbox } from '../../src/providers/index.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { fillRows, rowsOf } from '../support/rows.js';
import { World } from '../support/world.js';

let test: TestApp;

beforeAll(async () => {
  test = await startTestApp({ ownDatabase: true, env: { ROLE: 'api' } });
});
afterAll(() => test.close());

/** Not by the client of the tests: `email` of the documented answers is one of ASCII. */
async function post<T>(path: string, body: object, token?: string): Promise<T> {
  const answer = await fetch(`${test.url}/api/v0${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
    body: JSON.stringify(body),
  });
  expect(answer.status).toBeLessThan(300);
  return (await answer.json()) as T;
}

it('is backfilled for existing addresses without blocking readers', async () => {
  const world = await World.create(test);
  await post(world.path('/users'), { email: 'Ann@bücher.example' }, world.token);
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

it.each(['İ@example.com', 'ΣΣ@example.com', 'A@bücher.example', 'U\u0308@example.com'])(
  'is filled where an instance of the version before wrote an address meanwhile, so its owner is found: %s',
  async (email) => {
    const world = await World.create(test);
    const { user } = await post<{ user: { id: string } }>(world.path('/users'), { email }, world.token);
    // As such an instance writes it: without the column, and as given.
    await rowsOf(test, 'UPDATE credentials SET email_key = NULL, email = $2 WHERE user_id = $1', [user.id, email]);
    const runner = test.app.get(DataSource).createQueryRunner();
    await new FillFormsOfLateEmails20261128131000().up(runner);
    await runner.release();
    const sent = await post<{ verificationUUID: string }>(world.sdk('/emailVerifications/create'), { email });
    const verificationToken = test.app.get(DevInbox).entries.find(({ code }) => code)?.code;
    const answer = { verificationUUID: sent.verificationUUID, verificationToken };
    const signedIn = await post<{ user: { id: string } }>(world.sdk('/emailVerifications/signin'), answer);
    expect(signedIn.user.id).toBe(user.id);
  },
);
