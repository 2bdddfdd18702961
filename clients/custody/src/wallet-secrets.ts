import { recoverShares, type Backups } from './backups.js';
import { fromBase64url } from './encoding.js';
import { callsTo, type Deployment } from './service.js';
import type { ShareSet } from './shares.js';

/** A wallet secret, as returned by the service. */
export interface WalletSecret {
  readonly walletId: string;
  readonly secret: string;
}

/** The service's operations for secrets that decrypt backups. Each is rate-limited to five calls a day. */
export interface WalletSecrets {
  /** For a pregenerated wallet, until its shares are refreshed. */
  passcode(walletId?: string): Promise<WalletSecret>;
  /** For `lockAgain` and `unlockOnce`. */
  backupKey(walletId?: string): Promise<WalletSecret>;
}

/**
 * The shares of a pregenerated wallet that is being claimed. The service dealt them and so has seen them all: refresh
 * them with `renewShares`, as nothing can be signed before.
 */
export async function fetchDealtShares(secrets: WalletSecrets, backups: Backups, walletId?: string): Promise<ShareSet> {
  const { secret, walletId: of } = await secrets.passcode(walletId);
  return recoverShares(backups, of, { secret: fromBase64url(secret) });
}

/** Secrets of a deployment, over HTTP. Takes a session token. */
export function httpWalletSecrets(deployment: Deployment, send: typeof fetch = fetch): WalletSecrets {
  const call = callsTo(deployment, send);
  const read = async (path: 'passcode' | 'backup', walletId?: string): Promise<WalletSecret> => {
    const query = walletId === undefined ? '' : `?walletId=${encodeURIComponent(walletId)}`;
    const { walletId: of, secret } = await call<WalletSecret>(`users/embeddedWallets/${path}${query}`);
    return { walletId: of, secret };
  };
  return {
    passcode: (walletId) => read('passcode', walletId),
    backupKey: (walletId) => read('backup', walletId),
  };
}
