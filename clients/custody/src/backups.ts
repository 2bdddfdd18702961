import { joinShares, openBackup, type BackupLock } from './backup.js';
import { callsTo, type Deployment } from './service.js';
import { generationOf, type ShareSet } from './shares.js';

/** A backup of shares, as the service reports it. */
export interface StoredBackup {
  readonly id: string;
  readonly backupLocation: string;
  readonly passwordEncrypted: boolean;
  /** As created by `sealBackup`; absent for a backup stored elsewhere. */
  readonly encryptedAccountCredential?: string;
}

/** Identifies the shares in the backups. */
export type BackedUpShares = Pick<ShareSet, 'walletId' | 'generation'>;

/** The service's operations for backups. */
export interface Backups {
  /** @param shares the shares in the backups; rejected once they have been replaced, even by another device */
  store(
    shares: BackedUpShares,
    backups: readonly string[],
    passwordEncrypted: boolean,
  ): Promise<readonly StoredBackup[]>;
  /** Rate-limited to five calls a day. Keep the result until it has been decrypted. */
  recover(walletId: string): Promise<readonly StoredBackup[]>;
}

/** Fetches the backups stored by the service and opens those encrypted under this lock. @throws WrongLock, Error */
export async function recoverShares(backups: Backups, walletId: string, lock: BackupLock): Promise<ShareSet> {
  const isPassword = 'password' in lock;
  const stored = (await backups.recover(walletId)).filter((one) => one.passwordEncrypted === isPassword);
  const copies = stored.flatMap(({ encryptedAccountCredential }) => encryptedAccountCredential ?? []);
  if (copies.length === 0) throw new Error('The service keeps no copy that was encrypted under such a lock.');
  const shares = joinShares(await Promise.all(copies.map((copy) => openBackup(copy, lock))));
  if (shares.walletId !== walletId) throw new Error('The copy is of another wallet.');
  return shares;
}

/** Backups of a deployment, over HTTP. Takes a session token; one from `getBackupToken` can only store backups. */
export function httpBackups(deployment: Deployment, send: typeof fetch = fetch): Backups {
  const call = callsTo(deployment, send);
  const copies = async (walletId: string, path: string, body: object): Promise<readonly StoredBackup[]> =>
    (await call<{ keyShares?: readonly StoredBackup[] }>(`waas/${walletId}/keyShares/${path}`, body)).keyShares ?? [];
  return {
    store: (shares, encryptedAccountCredentials, passwordEncrypted) => {
      const body = { encryptedAccountCredentials, passwordEncrypted, generation: generationOf(shares) };
      return copies(shares.walletId, 'backup', body);
    },
    recover: (walletId) => copies(walletId, 'recover', {}),
  };
}
