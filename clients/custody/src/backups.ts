import { joinShares, openBackup, type BackupLock } from './backup.js';
import { generationOf, type ShareSet } from './shares.js';

/** A copy of shares, as the service tells of it. */
export interface StoredBackup {
  readonly id: string;
  readonly backupLocation: string;
  readonly passwordEncrypted: boolean;
  /** As `sealBackup` made it; absent for a copy that is elsewhere. */
  readonly encryptedAccountCredential?: string;
}

/** Which shares copies are of. */
export type BackedUpShares = Pick<ShareSet, 'walletId' | 'generation'>;

/** The operations by which the service keeps backups. */
export interface Backups {
  /** @param shares those that the copies are of. Once they were replaced, by another device too, they are refused. */
  store(
    shares: BackedUpShares,
    backups: readonly string[],
    passwordEncrypted: boolean,
  ): Promise<readonly StoredBackup[]>;
  /** Is counted: copies are handed out five times a day. Keep them until they are open. */
  recover(walletId: string): Promise<readonly StoredBackup[]>;
}

/** Gets the copies that the service keeps, and opens those that this lock is for. @throws WrongLock, Error */
export async function recoverShares(backups: Backups, walletId: string, lock: BackupLock): Promise<ShareSet> {
  const isPassword = 'password' in lock;
  const stored = (await backups.recover(walletId)).filter((one) => one.passwordEncrypted === isPassword);
  const copies = stored.flatMap(({ encryptedAccountCredential }) => encryptedAccountCredential ?? []);
  if (copies.length === 0) throw new Error('The service keeps no copy that was encrypted under such a lock.');
  const shares = joinShares(await Promise.all(copies.map((copy) => openBackup(copy, lock))));
  if (shares.walletId !== walletId) throw new Error('The copy is of another wallet.');
  return shares;
}

/** Backups at a deployment, over HTTP. The token is one of the session. One of `getBackupToken` stores copies and recovers none. */
export function httpBackups(
  { baseUrl, environmentId, token }: { baseUrl: string; environmentId: string; token: string },
  send: typeof fetch = fetch,
): Backups {
  const call = async (walletId: string, path: string, body: object): Promise<readonly StoredBackup[]> => {
    const response = await send(`${baseUrl}/api/v0/sdk/${environmentId}/waas/${walletId}/keyShares/${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const answer = (await response.json()) as { keyShares?: readonly StoredBackup[]; error?: string };
    if (!response.ok) throw new Error(answer.error ?? `The service answered ${response.status}.`);
    return answer.keyShares ?? [];
  };
  return {
    store: (shares, encryptedAccountCredentials, passwordEncrypted) => {
      const body = { encryptedAccountCredentials, passwordEncrypted, generation: generationOf(shares) };
      return call(shares.walletId, 'backup', body);
    },
    recover: (walletId) => call(walletId, 'recover', {}),
  };
}
