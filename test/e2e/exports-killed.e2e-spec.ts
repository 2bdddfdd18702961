import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PAGE } from '../../src/reporting/exports/export-records.repository.js';
import { generateMasterKey } from '../../src/vault/index.js';
import { TestClient } from '../support/client.js';
import { createDatabase, withClient, type TestDatabase } from '../support/postgres.js';
import { eventually } from '../support/receiver.js';
import { ServiceProcess } from '../support/service-process.js';

const USERS = 200_000;
/** The heap before it is collected is most of it, and more on a busy machine. */
const MOST_GROWTH_MIB = 256;

interface Shown {
  id: string;
  status: string;
  rows: number;
}

describe('an export of two hundred thousand users', () => {
  const settings = { PORT: '0', MASTER_KEY: generateMasterKey(), DATA_DIR: mkdtempSync(join(tmpdir(), 'exports-')) };
  let database: TestDatabase;
  let service: ServiceProcess;

  const start = (): Promise<ServiceProcess> => ServiceProcess.start({ ...settings, DATABASE_URL: database.url });
  beforeAll(async () => {
    database = await createDatabase();
    service = await start();
    await sql(
      `INSERT INTO users (environment_id, id, email)
       SELECT $1, gen_random_uuid(), 'user-' || n || '@example.com' FROM generate_series(1, $2::int) AS n`,
      [environmentId(), USERS],
    );
  }, 240_000);
  afterAll(async () => {
    await service?.discard();
    await database?.drop();
  });

  const environmentId = (): string => service.quickstart.environments.sandbox.id;
  const sql = <T>(text: string, values: unknown[]): Promise<T[]> =>
    withClient(database.url, async (client) => (await client.query(text, values)).rows as T[]);
  const client = (): TestClient => new TestClient(service.url, service.quickstart.environments.sandbox.apiToken);
  const path = (rest = ''): string => `/environments/${environmentId()}/exports${rest}`;
  const get = async (id: string): Promise<Shown> => (await client().get<Shown>(path(`/${id}`), { expect: 200 })).body;
  const create = async (): Promise<string> =>
    (await client().post<Shown>(path(), { format: 'csv', model: 'users' }, { expect: 201 })).body.id;

  /** An export whose worker was killed in the middle. One that was too quick to be caught is followed by another. */
  async function killedExport(): Promise<string> {
    for (;;) {
      const id = await create();
      const caught = await eventually('it is under way', async () => {
        const shown = await get(id);
        return shown.rows > 0 || shown.status === 'completed' ? shown : null;
      });
      if (caught.status !== 'pending') continue;
      await service.end('SIGKILL');
      const [left] = await sql<Shown>('SELECT id, status, rows FROM exports WHERE id = $1', [id]);
      if (left!.status === 'pending') return id;
      service = await start();
    }
  }

  /** The id of each line of the file, read as it comes. */
  async function* idsOf(id: string): AsyncGenerator<string> {
    const { headers } = await client().get(path(`/${id}/download`), { expect: 302 });
    const file = await fetch(headers.get('location')!);
    expect(file.status).toBe(200);
    // CR and LF may come in two chunks, however long one is after the other.
    const lines = createInterface({ input: Readable.fromWeb(file.body as ReadableStream), crlfDelay: Infinity });
    for await (const line of lines) yield line.slice(1, 37);
  }

  it('goes on after kill -9 and holds each of them once, in a server whose memory does not grow with them', async () => {
    const id = await killedExport();
    service = await start();
    const fresh = service.peakMemory;
    await sql('UPDATE exports SET due_at = now() WHERE id = $1', [id]);
    const done = await eventually(
      'the heir has written the rest',
      async () => {
        const shown = await get(id);
        return shown.status === 'pending' ? null : shown;
      },
      150_000,
    );
    const [total] = await sql<{ count: number }>('SELECT count(*)::int AS count FROM users WHERE environment_id = $1', [
      environmentId(),
    ]);
    expect(done).toMatchObject({ status: 'completed', rows: total!.count });
    expect(total!.count).toBeGreaterThanOrEqual(USERS);
    const ids = new Set<string>();
    let lines = 0;
    for await (const one of idsOf(id)) {
      lines++;
      ids.add(one);
    }
    // The head is a line as well.
    expect([lines, ids.size]).toEqual([total!.count + 1, total!.count + 1]);
    expect(Math.ceil(total!.count / PAGE)).toBeGreaterThan(50);
    expect(service.peakMemory - fresh).toBeLessThan(MOST_GROWTH_MIB);
  }, 280_000);
});
