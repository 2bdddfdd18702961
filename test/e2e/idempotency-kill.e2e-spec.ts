import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generateMasterKey } from '../../src/vault/index.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { TestClient } from '../support/client.js';
import { DeafProxy } from '../support/deaf-proxy.js';
import { createDatabase, withClient, type TestDatabase } from '../support/postgres.js';
import { eventually } from '../support/receiver.js';
import { ServiceProcess } from '../support/service-process.js';
import { newEmail } from '../support/world.js';

const STORES_THE_ANSWER = 'idempotency.insert';

describe('an instance that is killed after the commit and before the reply', () => {
  const masterKey = generateMasterKey();
  let database: TestDatabase;
  let proxy: DeafProxy;
  let service: ServiceProcess;
  let survivor: TestApp;

  beforeAll(async () => {
    database = await createDatabase();
    proxy = await DeafProxy.start(database.url);
    const settings = { PORT: '0', DATABASE_URL: proxy.databaseUrl, MASTER_KEY: masterKey };
    service = await ServiceProcess.start({ ...settings, DATA_DIR: mkdtempSync(join(tmpdir(), 'gatehouse-killed-')) });
    survivor = await startTestApp({ databaseUrl: database.url, masterKey });
  }, 90_000);
  afterAll(async () => {
    await survivor?.close();
    await service?.discard();
    proxy?.stop();
    await database?.drop();
  });

  const countUsers = (email: string): Promise<number> =>
    withClient(database.url, async (client) => {
      const { rows } = await client.query<{ count: number }>(
        'SELECT count(*)::int AS count FROM users WHERE email = $1',
        [email],
      );
      return rows[0]!.count;
    });

  it('has done the work once: another instance answers the retry as the killed one would have', async () => {
    const { id, apiToken } = service.quickstart.environments.sandbox;
    const email = newEmail();
    const headers = { 'Idempotency-Key': randomUUID() };
    const committing = proxy.withholdCommitOf(STORES_THE_ANSWER);
    const lost = new TestClient(service.url, apiToken).post(`/environments/${id}/users`, { email }, { headers }).then(
      () => 'answered',
      () => 'lost',
    );
    await committing;
    await eventually('the user is committed', async () => (await countUsers(email)) === 1);
    expect(await service.end('SIGKILL')).toBeNull();
    expect(await lost).toBe('lost');

    const again = await new TestClient(survivor.url, apiToken).post<{ user: { id: string; email: string } }>(
      `/environments/${id}/users`,
      { email },
      { headers },
    );
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([201, 'true']);
    expect(again.body.user.email).toBe(email);
    expect(await countUsers(email)).toBe(1);
  });
});
