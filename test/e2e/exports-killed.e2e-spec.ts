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
import { noteFigure, scaleOf } from '../support/scale.js';
import { run, ServiceProcess } from '../support/service-process.js';

const USERS = scaleOf('EXPORTED', 100_000);
/** Of each user, beside the rest. */
const NOTE_BYTES = 1_000;
/** The heap before it is collected is most of it, and more on a busy machine. */
const MOST_GROWTH_MIB = 256;

interface Shown {
  id: string;
  status: string;
  rows: number;
}

describe(`an export of ${USERS} users`, () => {
  const settings = { PORT: '0', MASTER_KEY: generateMasterKey(), DATA_DIR: mkdtempSync(join(tmpdir(), 'exports-')) };
  let database: TestDatabase;
  let service: ServiceProcess;

  const start = (): Promise<ServiceProcess> => ServiceProcess.start({ ...settings, DATABASE_URL: database.url });
  beforeAll(async () => {
    database = await createDatabase();
    service = await start();
    await sql(
      `INSERT INTO users (environment_id, id, email, metadata)
       SELECT $1, gen_random_uuid(), 'user-' || n || '@example.com', jsonb_build_object('note', repeat('x', $3::int))
       FROM generate_series(1, $2::int) AS n`,
      [environmentId(), USERS, NOTE_BYTES],
    );
  }, 600_000);
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
      const caught = await eventually(
        'it is under way',
        async () => {
          const shown = await get(id);
          return shown.rows > 0 || shown.status === 'completed' ? shown : null;
        },
        120_000,
      );
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

  it('continues after kill -9 and contains each of them once, in a server whose memory does not grow with their number', async () => {
    const id = await killedExport();
    service = await start();
    const fresh = service.peakMemory;
    const from = performance.now();
    const seconds = (): number => (performance.now() - from) / 1000;
    await sql('UPDATE exports SET due_at = now() WHERE id = $1', [id]);
    const done = await eventually(
      'the heir has written the rest',
      async () => {
        const shown = await get(id);
        return shown.status === 'pending' ? null : shown;
      },
      Math.max(300_000, USERS * 3),
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
    expect(Math.ceil(total!.count / PAGE)).toBeGreaterThanOrEqual(50);
    const most = service.peakMemory;
    noteFigure(`${USERS} users exported`, { freshMib: fresh, mostMib: most, seconds: Math.round(seconds()) });
    expect(most - fresh).toBeLessThan(MOST_GROWTH_MIB);
  }, 1_800_000);

  it('would be seen in the memory of a program that holds all of it', async () => {
    const holding = `
      import { readFileSync } from 'node:fs';
      import pg from 'pg';
      const peak = () => Number(/VmHWM:\\s+(\\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))[1]) / 1024;
      const client = new pg.Client({ connectionString: process.env.DATABASE_URL });
      await client.connect();
      const fresh = peak();
      const { rows } = await client.query('SELECT * FROM users LIMIT 100000');
      const text = rows.map((row) => Object.values(row).map(String).join()).join('\\n');
      console.log(JSON.stringify({ rows: rows.length, bytes: text.length, growth: peak() - fresh }));
      await client.end();`;
    const words = ['node', '--input-type=module', '-e', holding];
    const { stdout, stderr } = await run(words, { DATABASE_URL: database.url });
    expect(stderr).toBe('');
    const held = JSON.parse(stdout) as { rows: number; growth: number };
    expect(held.rows).toBe(100_000);
    expect(held.growth).toBeGreaterThan(MOST_GROWTH_MIB);
  }, 180_000);
});
