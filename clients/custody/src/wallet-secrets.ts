import { recoverShares, type Backups } from './backups.js';
import { fromBase64url } from './encoding.js';
import type { ShareSet } from './shares.js';

/** A secret of a wallet, as the service answers it. */
export interface WalletSecret {
  readonly walletId: string;
  readonly secret: string;
}

/** The operations by which the service hands out what opens copies. Both are counted: five times a day. */
export interface WalletSecrets {
  /** Of a wallet that was made ahead, until its shares are refreshed. */
  passcode(walletId?: string): Promise<WalletSecret>;
  /** For `lockAgain` and `unlockOnce`. */
  backupKey(walletId?: string): Promise<WalletSecret>;
}

/**
 * The shares of a wallet that was made ahead and is claimed. The service has dealt them, so it has had them all: they are
 * there to be refreshed with `renewShares`, and nothing is signed before.
 */
export async function fetchDealtShares(secrets: WalletSecrets, backups: Backups, walletId?: string): Promise<ShareSet> {
  const { secret, walletId: of } = await secrets.passcode(walletId);
  return recoverShares(backups, of, { secret: fromBase64url(secret) });
}

/** Secrets at a deployment, over HTTP. The token is one of the session. */
export function httpWalletSecrets(
  { baseUrl, environmentId, token }: { baseUrl: string; environmentId: string; token: string },
  send: typeof fetch = fetch,
): WalletSecrets {
  const read = async (path: 'passcode' | 'backup', walletId?: string): Promise<WalletSecret> => {
    const query = walletId === undefined ? '' : `?walletId=${encodeURIComponent(walletId)}`;
    const url = `${baseUrl}/api/v0/sdk/${environmentId}/users/embeddedWallets/${path}${query}`;
    const response = await send(url, { headers: { authorization: `Bearer ${token}` } });
    const answer = (await response.json()) as Partial<WalletSecret> & { error?: string };
    const { walletId: of, secret } = answer;
    if (!response.ok || of === undefined || secret === undefined)
      throw new Error(answer.error ?? `The service answered ${response.status}.`);
    return { walletId: of, secret };
  };
  return {
    passcode: (walletId) => read('passcode', walletId),
    backupKey: (walletId) => read('backup', walletId),
  };
}
