import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generateMasterKey } from '../../src/vault/index.js';
import { freePort } from '../support/ports.js';
import { createEmptyDatabase, type TestDatabase } from '../support/postgres.js';
import { ServiceProcess } from '../support/service-process.js';

const isReady = (port: number): Promise<boolean> =>
  fetch(`http://127.0.0.1:${port}/readyz`).then(
    ({ status }) => status === 200,
    () => false,
  );

describe('instances that start together on an empty development database', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-together-'));
  let database: TestDatabase;
  let services: ServiceProcess[] = [];

  beforeAll(async () => {
    database = await createEmptyDatabase();
  });
  afterAll(async () => {
    for (const one of services) if (one.isRunning) await one.end('SIGINT');
    await database?.drop();
    rmSync(folder, { recursive: true, force: true });
  });

  test('all start, and those that share a folder share what the first has made', async () => {
    const settings = { DATABASE_URL: database.url, MASTER_KEY: generateMasterKey() };
    const dataDirs = ['shared', 'shared', 'own'].map((name) => join(folder, name));
    for (const dataDir of dataDirs) mkdirSync(dataDir, { recursive: true });
    const ports = await Promise.all(dataDirs.map(() => freePort()));
    services = dataDirs.map((DATA_DIR, at) => ServiceProcess.spawn({ ...settings, DATA_DIR, PORT: String(ports[at]) }));
    await Promise.all(
      services.map(async (one, at) => {
        await one.until(() => isReady(ports[at]!));
        // Whoever waited for that can go on with what the README says.
        expect(one.quickstart.environments.sandbox.apiToken).toMatch(/\S/);
        await one.until(async () => /^ {4}user token +\S+\n/m.test(one.output));
      }),
    );
    const ids = services.map(({ output }) => /^ {2}Organization +(\S+)$/m.exec(output)?.[1]);
    expect(ids[0]).toBe(ids[1]);
    expect(ids[2]).not.toBe(ids[0]);
    // Who comes later leaves the webhooks and the file with whoever is there, and says so.
    const beside = services.slice(0, 2).filter(({ output }) => output.includes('Another instance of this folder'));
    expect(beside).toHaveLength(1);
    const first = services.slice(0, 2).find((one) => !beside.includes(one))!;
    expect(first.quickstart.api).toContain(`:${ports[services.indexOf(first)]}/`);
    const { api, catcher, environments } = first.quickstart;
    const webhooks = await fetch(`${api}/environments/${environments.sandbox.id}/webhooks`, {
      headers: { authorization: `Bearer ${environments.sandbox.apiToken}` },
    });
    expect(await webhooks.json()).toMatchObject({ data: [{ url: catcher }] });
    expect(catcher.startsWith(new URL(api).origin)).toBe(true);

    for (const { output, quickstart } of services) {
      expect(output).not.toMatch(/did not start|Error:/);
      const { sandbox } = quickstart.environments;
      const users = await fetch(`${quickstart.api}/environments/${sandbox.id}/users`, {
        headers: { authorization: `Bearer ${sandbox.apiToken}` },
      });
      expect(users.status).toBe(200);
    }
    for (const one of services) {
      expect(await one.end('SIGTERM')).toBe(0);
      expect(one.output.trimEnd().split('\n').at(-1)).toBe('Gatehouse has stopped.');
    }
  }, 180_000);
});
