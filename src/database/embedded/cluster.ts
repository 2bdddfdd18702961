import { execFile } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, realpathSync } from 'node:fs';
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { causeIn } from './cause-in.js';
import { EmbeddedPostgresError } from './embedded-postgres.errors.js';
import { program } from './native-binaries.js';
import { isReachableBy } from './server-account.js';
import type { ServerAccount } from './server-account.js';

/** One cluster on disk and the means to run it. */
export interface Cluster {
  /** Absolute path of the data directory. */
  readonly dataDir: string;
  /** Folder of the PostgreSQL binaries. */
  readonly native: string;
  readonly account: ServerAccount | null;
}

export const SUPERUSER = 'gatehouse';

/** The database processes must not inherit the service's environment, which contains its secrets. */
export const SERVER_ENV = { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };

export function isInitialised(dataDir: string): boolean {
  return existsSync(join(dataDir, 'PG_VERSION'));
}

/**
 * The data directory as its server must name it. The server account may not be able to traverse a parent folder
 * (`.data` is private, a clone may be under /root), so the absolute path is useless. The working directory, entered
 * before switching accounts, stays accessible: on Linux its name needs no permission on its parents.
 */
export function dataDirArgument(dataDir: string, account: ServerAccount | null): string {
  if (account === null || isReachableBy(account, realpathSync(dataDir))) return dataDir;
  if (process.platform === 'linux') return '/proc/self/cwd';
  throw new EmbeddedPostgresError(
    `${dataDir} is inside a folder that the database account may not enter; set DATA_DIR elsewhere or set DATABASE_URL`,
  );
}

/**
 * Creates the cluster: UTF-8, the built-in C.UTF-8 collation (the same order on every system), SCRAM passwords. It is
 * created under a temporary name and renamed when complete; losing that race to another process counts as success.
 */
export async function initialiseCluster(cluster: Cluster, password: string): Promise<void> {
  const { dataDir, account } = cluster;
  removeAbandoned(dataDir);
  const nursery = mkdtempSync(`${dataDir}.init-${process.pid}-`);
  const fresh = join(nursery, 'data');
  const passwordFile = join(nursery, 'password');
  try {
    mkdirSync(fresh, { mode: 0o700 });
    writeFileSync(passwordFile, `${password}\n`, { mode: 0o600, flag: 'wx' });
    if (account) [nursery, fresh, passwordFile].forEach((path) => chownSync(path, account.uid, account.gid));
    await runInitdb(cluster, fresh);
    renameSync(fresh, dataDir);
  } catch (error) {
    if (!isInitialised(dataDir)) throw error;
  } finally {
    rmSync(nursery, { recursive: true, force: true });
  }
}

async function runInitdb({ dataDir, native, account }: Cluster, fresh: string): Promise<void> {
  const where = dataDirArgument(fresh, account);
  const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
  const login = [`--username=${SUPERUSER}`, '--auth=scram-sha-256', `--pwfile=${where}/../password`];
  try {
    await promisify(execFile)(
      program(native, 'initdb'),
      ['-D', where, ...login, ...locale, '--no-sync', '--no-instructions'],
      { cwd: fresh, ...account, ...(process.platform === 'win32' ? {} : { env: SERVER_ENV }) },
    );
  } catch (cause) {
    const said = (cause as { stderr?: string }).stderr || (cause as Error).message;
    throw new EmbeddedPostgresError(
      `the built-in PostgreSQL cannot create ${dataDir}: ${causeIn(said)}; set DATABASE_URL to use another server`,
      { cause },
    );
  }
}

/** Removes what a process killed during a first start left beside the data directory. */
function removeAbandoned(dataDir: string): void {
  const prefix = `${basename(dataDir)}.init-`;
  for (const name of readdirSync(dirname(dataDir)).filter((entry) => entry.startsWith(prefix))) {
    try {
      process.kill(Number.parseInt(name.slice(prefix.length), 10), 0);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') continue;
      rmSync(join(dirname(dataDir), name), { recursive: true, force: true });
    }
  }
}
