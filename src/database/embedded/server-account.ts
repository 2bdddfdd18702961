import { execFile } from 'node:child_process';
import { lchownSync, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { EmbeddedPostgresError } from './embedded-postgres.errors.js';

const run = promisify(execFile);

/** The operating-system account a server process runs under when the service itself runs as root. */
export interface ServerAccount {
  readonly uid: number;
  readonly gid: number;
}

/**
 * The account for the server of a cluster: null means "as this process". PostgreSQL refuses to run as root, so root
 * uses the owner of an existing cluster, else the `postgres` account, which is created if the system has none.
 *
 * @throws EmbeddedPostgresError if no such account is available.
 */
export async function resolveServerAccount(dataDir: string): Promise<ServerAccount | null> {
  const owner = statSync(join(dataDir, 'PG_VERSION'), { throwIfNoEntry: false });
  if (process.getuid?.() !== 0) {
    if (owner && process.getuid && owner.uid !== process.getuid()) {
      throw new EmbeddedPostgresError(
        `${dataDir} belongs to user id ${owner.uid}; run as that user, or set DATA_DIR to a folder of your own`,
      );
    }
    return null;
  }
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  const account = (await findAccount('postgres')) ?? (await createAccount('postgres'));
  // A cluster owned by root was copied by root, for example from a backup.
  if (owner) chownTree(dataDir, account);
  return account;
}

/** Whether the account can open the path: every parent folder searchable, the path itself readable. Ignores ACLs. */
export function isReachableBy(account: ServerAccount, path: string): boolean {
  if (!grants(account, path, 0o5)) return false;
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    if (!grants(account, folder, 0o1)) return false;
    if (folder === dirname(folder)) return true;
  }
}

function grants(account: ServerAccount, path: string, bits: number): boolean {
  const { mode, uid, gid } = statSync(path);
  const shift = uid === account.uid ? 6 : gid === account.gid ? 3 : 0;
  return ((mode >> shift) & bits) === bits;
}

async function findAccount(name: string): Promise<ServerAccount | null> {
  try {
    const [user, group] = await Promise.all([run('id', ['-u', name]), run('id', ['-g', name])]);
    return { uid: Number(user.stdout), gid: Number(group.stdout) };
  } catch {
    return null;
  }
}

async function createAccount(name: string): Promise<ServerAccount> {
  try {
    // The group may exist without the user; useradd then reports the actual obstacle.
    await run('groupadd', ['--system', name]).catch(() => undefined);
    await run('useradd', ['--system', '--gid', name, '--no-create-home', '--shell', '/usr/sbin/nologin', name]);
  } catch (cause) {
    const account = await findAccount(name);
    if (account) return account;
    throw new EmbeddedPostgresError(
      `PostgreSQL does not run as root and the account "${name}" could not be created; run as another user or set DATABASE_URL`,
      { cause },
    );
  }
  const account = await findAccount(name);
  if (!account) throw new EmbeddedPostgresError(`the account "${name}" was created but cannot be looked up`);
  return account;
}

function chownTree(folder: string, account: ServerAccount): void {
  for (const entry of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    lchownSync(join(folder, entry), account.uid, account.gid);
  }
  lchownSync(folder, account.uid, account.gid);
}
