import { defineError } from '../../common/errors/index.js';
import { SecurityEvent } from '../../common/security/index.js';

export const noRecoveryEmail = defineError({
  code: 'no_recovery_email',
  status: 422,
  message: 'There is no email address for recovery codes.',
  hint: 'Verify an email address of the account, or set a recovery email address.',
  cause: 'The user has not set a recovery email address, and no email address of the account is verified.',
  fix: 'Verify an address with the email verification operations, then repeat the call.',
});

export const recoveryOff = defineError({
  code: 'wallet_recovery_off',
  status: 422,
  message: 'The environment has turned off this kind of wallet recovery.',
  hint: 'A member can turn it on in the settings: `payload.setting` names it.',
  cause: 'A setting of the environment disables this kind of wallet recovery.',
  fix: 'Turn the setting on, or use another way.',
});

export const recoveryEmailUnconfirmed = defineError({
  code: 'recovery_email_unconfirmed',
  status: 422,
  message: 'This address has not been verified.',
  hint: 'Send a code to the address with createEmailVerification, and sign a request with its `verificationUUID` and the code as `verificationToken`.',
  cause:
    'The request contains no address, or one that is not verified for the account, without a code that was sent to it.',
  fix: 'Send a code to the address, and put `userEmail`, `verificationUUID` and `verificationToken` into the parameters of the signed request.',
});

export const noPasskeyToRecover = defineError({
  code: 'no_passkey_to_recover',
  status: 422,
  message: 'The user has no passkey that a new one could replace.',
  hint: 'Register a passkey with registerPasskey.',
  cause: 'Recovery replaces a user’s passkeys, and this user has none.',
  fix: 'Register a first passkey with registerPasskey.',
});

export const passkeyRecoveryRefused = defineError({
  code: 'passkey_recovery_refused',
  status: 422,
  security: SecurityEvent.CodeFailed,
  message: 'This code does not complete a recovery.',
  hint: 'Begin again with initPasskeyRecovery, and use the code of the newest mail within 15 minutes.',
  cause:
    'The code is wrong, older than 15 minutes or already used, a later recovery replaced it, it was tried five times, or another session began the recovery. The response does not say which.',
  fix: 'Begin the recovery again in this session, and send the code from the email with the passkey that was created with it.',
});
