import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { withClient } from './postgres.js';
import { findProgram } from './programs.js';

const run = promisify(execFile);

/** Whether `pg_dump` and `pg_restore` are installed and not older than the server, which they would refuse. */
export async function hasPgDump(serverUrl: string): Promise<boolean> {
  if (!findProgram('pg_dump') || !findProgram('pg_restore')) return false;
  const { stdout } = await run('pg_dump', ['--version']);
  const client = Number(/\d+/.exec(stdout)?.[0] ?? 0);
  const server = await withClient(serverUrl, async (connection) => {
    const { rows } = await connection.query<{ version: number }>(
      "SELECT current_setting('server_version_num')::int / 10000 AS version",
    );
    return rows[0]!.version;
  });
  return client >= server;
}

/** Backs up a database to a file and restores it into an empty one. */
export async function dumpAndRestore(fromUrl: string, toUrl: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-dump-'));
  const file = join(folder, 'backup');
  try {
    await run('pg_dump', ['--format=custom', `--file=${file}`, `--dbname=${fromUrl}`]);
    await run('pg_restore', ['--exit-on-error', '--no-owner', `--dbname=${toUrl}`, file]);
  } finally {
    await rm(folder, { recursive: true });
  }
}
