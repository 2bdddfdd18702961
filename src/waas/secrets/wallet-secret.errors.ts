import { defineError } from '../../common/errors/index.js';
import { SecurityEvent } from '../../common/security/index.js';
import { MAX_SECRET_READS, SECRET_READ_HOURS } from './wallet-secrets.repository.js';

export const passcodeMissing = defineError({
  code: 'wallet_passcode_missing',
  status: 404,
  message: 'There is no wallet of the user whose shares wait under a passcode.',
  hint: 'The shares that the device has, or a copy of them, are the ones in use.',
  cause:
    'A passcode opens the shares of a wallet that a server had made ahead, or that is being upgraded. It is destroyed with these shares, when the user has refreshed them.',
  fix: 'Recover the shares from the backup that a device of the user has made.',
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
  message: 'This secret of the wallet was handed out as often as it may be.',
  hint: 'Wait as many seconds as payload.retryAfterSeconds says.',
  cause: `The secrets that open copies of shares leave the service ${MAX_SECRET_READS} times in ${SECRET_READ_HOURS} hours each, so that nobody who has taken over a session goes on collecting.`,
  fix: 'Keep the secret on the device until the copy is open. If it was not you, end all sessions and change how you sign in.',
});
