import { defineError } from '../../common/errors/index.js';
import { SecurityEvent } from '../../common/security/index.js';

export const mfaInvalidRequest = defineError({
  code: 'mfa_invalid_request',
  status: 422,
  message: 'This cannot be done with the second factors of this user or environment.',
  hint: 'Read the devices of the user and the MFA settings of the environment.',
  cause:
    'The environment does not have the kind of factor enabled, there is nothing to finish, the user has as many devices as there may be, or a device cannot be what was asked of it.',
  fix: 'The hint of the answer says which it was.',
});

export const mfaDeviceNotFound = defineError({
  code: 'mfa_device_not_found',
  status: 422,
  message: 'The user has no such device.',
  hint: 'Register a device first, or name one of the list.',
  cause: 'No verified device of this kind has the id, or the user has none at all.',
  fix: 'Read the devices with getUserMfaDevices; register one with registerTotpMfaDevice.',
});

export const mfaInvalidCode = defineError({
  code: 'mfa_invalid_code',
  status: 422,
  security: SecurityEvent.CodeFailed,
  message: 'The code is not right, or was used already.',
  hint: 'Enter the code that the device shows now; each works once.',
  cause: 'The code is of another device or time, or somebody used it before: a code of a device works once.',
  fix: 'Wait for the next code. If codes never work, the clock of the device may be wrong by more than 30 seconds.',
});

export const tooManyMfaAttempts = defineError({
  code: 'too_many_mfa_attempts',
  status: 429,
  security: SecurityEvent.SignInLocked,
  message: 'There were too many wrong codes for this factor.',
  hint: 'Wait for the seconds given in Retry-After, or use another factor or a recovery code.',
  cause: 'Five wrong codes make a factor wait for 15 minutes, and each five more for twice as long, a day at most.',
  fix: 'The wait ends by itself. Use another factor or a recovery code meanwhile: a recovery code ends the waits of all devices. Operators end all of them with `npm run cli -- users unlock`.',
});

export const secondFactorRequired = defineError({
  code: 'second_factor_required',
  status: 403,
  message: 'This asks for a session in which a second factor was given.',
  hint: 'Give the second factor with one of the mfa/auth operations, then call again.',
  cause: 'The session was opened by a first factor alone, and the call changes what the second factor protects.',
  fix: 'Call authenticateMfaPasskeyDevice, authMfaTotpDevice or authMfaRecovery in the same session, then repeat the call.',
});

export const mfaTokenRefused = defineError({
  code: 'mfa_token_refused',
  status: 401,
  security: SecurityEvent.TokenRefused,
  message: 'The MFA token is not good for this.',
  hint: 'Give the second factor with `createMfaToken` and send the `mfaToken` of that answer in `x-mfa-auth-token`.',
  cause: 'It is older than five minutes, was used, or belongs to another user, session or action.',
  fix: 'Give the second factor again in this session, with `createMfaToken`, and use the token once.',
});
