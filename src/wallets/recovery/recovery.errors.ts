import { defineError } from '../../common/errors/index.js';
import { SecurityEvent } from '../../common/security/index.js';

export const noRecoveryEmail = defineError({
  code: 'no_recovery_email',
  status: 422,
  message: 'There is no address that a code for this wallet could go to.',
  hint: 'Verify an e-mail address of the account, or set a recovery e-mail.',
  cause: 'The user has set no recovery e-mail, and no e-mail address of the account is verified.',
  fix: 'Verify an address with the e-mail verification operations, then repeat the call.',
});

export const recoveryOff = defineError({
  code: 'wallet_recovery_off',
  status: 422,
  message: 'The environment has turned this way back to wallets off.',
  hint: 'A member turns it on in the settings: `payload.setting` names it.',
  cause: 'A setting of the environment says that wallets are not recovered in this way.',
  fix: 'Turn the setting on, or use another way.',
});

export const recoveryEmailUnconfirmed = defineError({
  code: 'recovery_email_unconfirmed',
  status: 422,
  message: 'Nobody has shown that this address is theirs.',
  hint: 'Send a code to the address with createEmailVerification, and sign a request with its `verificationUUID` and the code as `verificationToken`.',
  cause:
    'The request names an address that is not a verified one of the account, and brings no code that was sent to it; or it names no address.',
  fix: 'Send a code to the address, and put `userEmail`, `verificationUUID` and `verificationToken` into the parameters of the signed request.',
});

export const noPasskeyToRecover = defineError({
  code: 'no_passkey_to_recover',
  status: 422,
  message: 'The user has no passkey that a new one could replace.',
  hint: 'Register a passkey with registerPasskey.',
  cause: 'Recovery replaces the passkeys of a user, and this one has none.',
  fix: 'Register a first passkey in the ordinary way.',
});

export const passkeyRecoveryRefused = defineError({
  code: 'passkey_recovery_refused',
  status: 422,
  security: SecurityEvent.CodeFailed,
  message: 'This code does not complete a recovery.',
  hint: 'Begin again with initPasskeyRecovery, and use the code of the newest mail within 15 minutes.',
  cause:
    'The code is wrong, older than 15 minutes or used, a later recovery took its place, five answers were tried, or another session began the recovery. Which of these is not told.',
  fix: 'Begin the recovery again in this session, and send the code of the mail with the passkey that was made under it.',
});
