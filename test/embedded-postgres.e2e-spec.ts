import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { startEmbeddedPostgres } from '../src/database/embedded/embedded-postgres.js';
import type { EmbeddedPostgres } from '../src/database/embedded/embedded-postgres.js';
import { EmbeddedPostgresError } from '../src/database/embedded/embedded-postgres.errors.js';
import { withClient } from './support/postgres.js';

const PASSWORD = 'p@ss/word:?#';

/** Its parent is private, like the folder of the service's own data: the database account may not enter it. */
const folder = mkdtempSync(join(tmpdir(), 'gatehouse-embedded-'));
const dataDir = join(folder, '.data/postgres');

const start = (options: { password?: string; log?: (line: string) => void } = {}): Promise<EmbeddedPostgres> =>
  startEmbeddedPostgres({ dataDir, password: PASSWORD, ...options });

const isServing = (url: string): Promise<boolean> =>
  withClient(url, (client) => client.query('SELECT 1')).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNREFUSED') return false;
      throw error;
    },
  );

const show = (url: string, name: string): Promise<unknown> =>
  withClient(url, async (client) => (await client.query(`SELECT current_setting($1) AS value`, [name])).rows[0]?.value);

/** Another process that starts the server and then waits, to be killed without a chance to clean up. */
async function startInOtherProcess(): Promise<{ serverPid: number; kill(): Promise<void> }> {
  const program = `
    const { startEmbeddedPostgres } = await import(${JSON.stringify(resolve('src/database/embedded/embedded-postgres.ts'))});
    const server = await startEmbeddedPostgres({ dataDir: process.argv[1], password: process.argv[2] });
    console.log(server.pid);
    setInterval(() => undefined, 60_000);`;
  const child = spawn(
    process.execPath,
    ['--import', resolve('scripts/typescript-loader.js'), '--input-type=module', '-e', program, dataDir, PASSWORD],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  return {
    serverPid: Number(line.toString()),
    kill: async () => {
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}

beforeAll(() => mkdirSync(join(folder, '.data'), { mode: 0o700 }));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the built-in PostgreSQL', () => {
  let port: number;

  test('starts on an empty folder, on loopback alone, with a password and without leaving it on disk', async () => {
    const server = await start();
    port = server.port;
    try {
      expect(await show(server.url, 'listen_addresses')).toBe('127.0.0.1');
      expect(await show(server.url, 'unix_socket_directories')).toBe('');
      expect(await show(server.url, 'server_encoding')).toBe('UTF8');
      const lower = await withClient(server.url, (client) => client.query("SELECT lower('ÄÉ') AS value"));
      expect(lower.rows).toEqual([{ value: 'äé' }]);
      await withClient(server.url, (client) => client.query("CREATE TABLE kept AS SELECT 'first' AS run"));

      const wrong = server.url.replace(encodeURIComponent(PASSWORD), 'wrong');
      await expect(withClient(wrong, (client) => client.query('SELECT 1'))).rejects.toMatchObject({ code: '28P01' });
      expect(readdirSync(join(folder, '.data'))).toEqual(['postgres']);
      expect(statSync(dataDir).mode & 0o777).toBe(0o700);
    } finally {
      await server.stop();
    }
    expect(await isServing(server.url)).toBe(false);
    expect(existsSync(join(dataDir, 'postmaster.pid'))).toBe(false);
  });

  test('keeps data and port over a restart', async () => {
    const server = await start();
    try {
      expect(server.port).toBe(port);
      const found = await withClient(server.url, (client) => client.query('SELECT run FROM kept'));
      expect(found.rows).toEqual([{ run: 'first' }]);
    } finally {
      await server.stop();
    }
  });

  test('gives the server none of the environment of the service', async () => {
    process.env['GATEHOUSE_SPEC_SECRET'] = 'must-not-travel';
    const server = await start();
    try {
      if (process.platform === 'linux') {
        const environment = readFileSync(`/proc/${server.pid}/environ`, 'utf8');
        expect(environment).toContain('LC_ALL=C');
        expect(environment).not.toContain('must-not-travel');
      }
      expect(await show(server.url, 'jit')).toBe('off');
    } finally {
      delete process.env['GATEHOUSE_SPEC_SECRET'];
      await server.stop();
    }
  });

  test('a server left behind by a killed process is adopted, and stopped with its new owner', async () => {
    const other = await startInOtherProcess();
    await other.kill();
    const said: string[] = [];
    const server = await start({ log: (line) => said.push(line) });
    expect(server.pid).toBe(other.serverPid);
    expect(said.join()).toContain('already running');
    await server.stop();
    await server.stop();
    expect(await isServing(server.url)).toBe(false);
    expect(existsSync(join(dataDir, 'postmaster.pid'))).toBe(false);
  });

  test('a server that another process still uses is left running by the first to stop', async () => {
    const [first, second] = await Promise.all([start(), start()]);
    expect(second.pid).toBe(first.pid);
    await first.stop();
    try {
      expect(await show(second.url, 'server_version_num')).toMatch(/^\d{6}$/);
    } finally {
      await second.stop();
    }
    expect(await isServing(first.url)).toBe(false);
  });

  test('a server killed with its data unflushed recovers, over the file it left', async () => {
    const crashed = await start();
    await withClient(crashed.url, (client) => client.query("INSERT INTO kept VALUES ('crash')"));
    process.kill(crashed.pid, 'SIGKILL');
    const server = await start();
    try {
      expect(server.pid).not.toBe(crashed.pid);
      const found = await withClient(server.url, (client) => client.query('SELECT run FROM kept ORDER BY run'));
      expect(found.rows).toEqual([{ run: 'crash' }, { run: 'first' }]);
    } finally {
      await server.stop();
      await crashed.stop();
    }
  });

  test('another password is one line that says what to do, and leaves no server running', async () => {
    const attempt = start({ password: 'other' });
    await expect(attempt).rejects.toThrow(EmbeddedPostgresError);
    await expect(attempt).rejects.toThrow(/^the password does not open the database in [^\n]+ to start empty$/);
    expect(existsSync(join(dataDir, 'postmaster.pid'))).toBe(false);
  });

  test('a damaged cluster is one line with the words of PostgreSQL', async () => {
    rmSync(join(dataDir, 'global/pg_control'));
    await expect(start()).rejects.toThrow(/^the built-in PostgreSQL in \S+ does not start: [^\n]+pg_control[^\n]+$/);
  });

  test('two first starts on one folder end with one server, and clear what a killed first start left', async () => {
    const empty = join(folder, 'empty/postgres');
    // No process has this number: Linux ends at 2^22.
    mkdirSync(`${empty}.init-4194305-abcdef`, { recursive: true });
    const servers = await Promise.all([1, 2].map(() => startEmbeddedPostgres({ dataDir: empty, password: PASSWORD })));
    try {
      expect(new Set(servers.map(({ pid }) => pid)).size).toBe(1);
      expect(readdirSync(join(folder, 'empty'))).toEqual(['postgres']);
    } finally {
      await Promise.all(servers.map((server) => server.stop()));
    }
    expect(existsSync(join(empty, 'postmaster.pid'))).toBe(false);
  });

  test('a folder with something else in it is one line, and stays as it is', async () => {
    const other = join(folder, 'other');
    mkdirSync(other);
    writeFileSync(join(other, 'notes.txt'), 'mine');
    await expect(startEmbeddedPostgres({ dataDir: other, password: PASSWORD })).rejects.toThrow(
      /^\S+other cannot hold a database \([^\n]+\); set DATA_DIR [^\n]+$/,
    );
    expect(readdirSync(other)).toEqual(['notes.txt']);
  });
});
