import { defineError } from '../../common/errors/index.js';
import { SecurityEvent } from '../../common/security/index.js';
import { MAX_SECRET_READS, SECRET_READ_HOURS } from './wallet-secrets.repository.js';

export const passcodeMissing = defineError({
  code: 'wallet_passcode_missing',
  status: 404,
  message: 'The user has no wallet whose shares are protected by a passcode.',
  hint: 'Use the shares on the device, or a backup of them.',
  cause:
    'A passcode opens the shares of a wallet that was created in advance or is being upgraded. It is deleted with these shares when the user refreshes them.',
  fix: 'Recover the shares from a backup made by one of the user’s devices.',
});

export const sharedWalletMissing = defineError({
  code: 'shared_wallet_missing',
  status: 404,
  message: 'The user has no wallet with a shared key, so there is no backup key.',
  hint: 'Make one with createWaasAccount.',
  cause: 'A backup key locks copies of the shares of a key. Keys that the service holds have none.',
  fix: 'Use it for wallets of version V2 or V3.',
});

export const tooManySecretReads = defineError({
  code: 'too_many_secret_reads',
  status: 422,
  security: SecurityEvent.RateLimited,
  message: 'This wallet secret was returned too often.',
  hint: 'Wait for payload.retryAfterSeconds.',
  cause: `The secrets that open copies of shares leave the service ${MAX_SECRET_READS} times in ${SECRET_READ_HOURS} hours each, so that someone who has taken over a session cannot keep collecting them.`,
  fix: 'Keep the secret on the device until the copy is decrypted. If it was not you, end all sessions and change how you sign in.',
});
