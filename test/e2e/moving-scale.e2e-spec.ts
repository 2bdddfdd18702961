import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { generateMasterKey } from '../../src/vault/index.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { fillRows, rowsOf } from '../support/rows.js';
import { noteFigure, scaleOf } from '../support/scale.js';
import { environmentWith } from '../support/service-process.js';
import { World } from '../support/world.js';

const MANY = scaleOf('MOVED', 5_000);
const FEW = 100;
/** Over what it takes to move a hundred users: room for young objects and for buffers that wait for a collection. */
const MOST_GROWTH_MIB = 256;

interface Measured {
  code: number | null;
  output: string;
  peakMib: number;
  seconds: number;
}

/** Written by the process itself when it ends: whoever looked from time to time would miss the end of a short one. */
const TELLS_PEAK = `data:text/javascript,${encodeURIComponent(`
  import { readFileSync } from 'node:fs';
  process.on('exit', () => console.error(/^VmHWM:.*$/m.exec(readFileSync('/proc/self/status', 'utf8'))[0]));`)}`;
const PEAK = /^VmHWM:\s+(\d+) kB\n/m;

/** Runs a command to its end and tells the most memory that it held. Linux alone tells. */
async function measured(words: string[], settings: Record<string, string>): Promise<Measured> {
  const from = performance.now();
  const child = spawn(process.execPath, ['--import', TELLS_PEAK, ...words], {
    env: environmentWith(settings),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  return {
    code,
    output: output.replace(PEAK, ''),
    peakMib: Math.round(Number(PEAK.exec(output)?.[1] ?? 0) / 1024),
    seconds: Math.round((performance.now() - from) / 1000),
  };
}

describe(`${MANY} users who move`, () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-moving-scale-'));
  const key = join(folder, 'operator.key');
  let here: TestApp;
  let there: TestApp;
  let few: World;
  let many: World;
  let publicKey: string;

  const cli = (test: TestApp, ...words: string[]): Promise<Measured> =>
    measured(['scripts/run.js', 'cli', 'environments', ...words], {
      ...{ DATABASE_URL: test.databaseUrl, MASTER_KEY: test.masterKey, DATA_DIR: join(folder, 'data') },
    });
  const exported = (world: World, name: string) =>
    cli(here, 'export', world.environmentId, '--to', join(folder, name), '--key', publicKey);
  const fill = (world: World, count: number): Promise<void> =>
    fillRows(
      here,
      `WITH people AS (
         INSERT INTO users (environment_id, id, email, metadata)
         SELECT $1, gen_random_uuid(), 'many' || i || '@example.com', jsonb_build_object('note', repeat('x', 200))
         FROM generate_series(1, $2::int) i RETURNING id, email)
       INSERT INTO credentials (environment_id, id, user_id, format, email, public_identifier, verified_at)
       SELECT $1, gen_random_uuid(), id, 'email', email, email, now() FROM people`,
      [world.environmentId, count],
    );

  beforeAll(async () => {
    const installation = () =>
      startTestApp({ ownDatabase: true, masterKey: generateMasterKey(), env: { ROLE: 'api' } });
    [here, there] = [await installation(), await installation()];
    [few, many] = [await World.create(here), await World.create(here)];
    await fill(few, FEW);
    await fill(many, MANY);
    const made = await cli(here, 'new-key', '--to', key);
    expect(made.code).toBe(0);
    publicKey = made.output.trim();
  }, 300_000);
  afterAll(async () => {
    await here?.close();
    await there?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('leave and arrive in batches, with no more memory than a hundred take', async () => {
    const small = await exported(few, 'few.tar.gz');
    const large = await exported(many, 'many.tar.gz');
    const taken = await cli(there, 'import', join(folder, 'many.tar.gz'), '--key', key);
    expect([small.code, large.code, taken.code, taken.output]).toEqual([0, 0, 0, expect.stringContaining('imported')]);
    const archive = Math.round(statSync(join(folder, 'many.tar.gz')).size / 1024 / 1024);
    noteFigure(`${MANY} users moved`, {
      ...{ fewMib: small.peakMib, outMib: large.peakMib, inMib: taken.peakMib, archiveMib: archive },
      ...{ outSeconds: large.seconds, inSeconds: taken.seconds },
    });
    const [count] = await rowsOf<{ users: number; credentials: number }>(
      there,
      `SELECT (SELECT count(*)::int FROM users WHERE environment_id = $1) AS users,
         (SELECT count(*)::int FROM credentials WHERE environment_id = $1) AS credentials`,
      [many.environmentId],
    );
    expect(count).toEqual({ users: MANY, credentials: MANY });
    expect(small.peakMib).toBeGreaterThan(30);
    expect(large.peakMib - small.peakMib).toBeLessThan(MOST_GROWTH_MIB);
    expect(taken.peakMib - small.peakMib).toBeLessThan(MOST_GROWTH_MIB);
  }, 900_000);

  it('would be seen in the memory of a program that holds them', async () => {
    const holding = `
      import pg from 'pg';
      const client = new pg.Client({ connectionString: process.env.DATABASE_URL });
      await client.connect();
      const held = [];
      while (held.length < 600_000) held.push(...(await client.query("SELECT * FROM users LIMIT 10000")).rows);
      console.log(held.length);
      await client.end();`;
    const idle = await measured(['--input-type=module', '-e', 'console.log(1)'], {});
    const held = await measured(['--input-type=module', '-e', holding], { DATABASE_URL: here.databaseUrl });
    expect([held.code, Number(held.output) >= 600_000]).toEqual([0, true]);
    expect(held.peakMib - idle.peakMib).toBeGreaterThan(MOST_GROWTH_MIB);
  }, 180_000);
});
