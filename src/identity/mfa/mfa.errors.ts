import { defineError } from '../../common/errors/index.js';
import { SecurityEvent } from '../../common/security/index.js';

export const mfaInvalidRequest = defineError({
  code: 'mfa_invalid_request',
  status: 422,
  message: 'The second factors of this user or environment do not allow this.',
  hint: 'Read the devices of the user and the MFA settings of the environment.',
  cause:
    'The environment has not enabled this kind of factor, there is nothing to complete, the user has reached the limit of devices, or the device cannot be used this way.',
  fix: 'The hint in the response says which one it was.',
});

export const mfaDeviceNotFound = defineError({
  code: 'mfa_device_not_found',
  status: 422,
  message: 'The user has no such device.',
  hint: 'Register a device first, or use one from the list.',
  cause: 'No verified device of this kind has the id, or the user has none at all.',
  fix: 'Read the devices with getUserMfaDevices; register one with registerTotpMfaDevice.',
});

export const mfaInvalidCode = defineError({
  code: 'mfa_invalid_code',
  status: 422,
  security: SecurityEvent.CodeFailed,
  message: 'The code is wrong or was already used.',
  hint: 'Enter the code that the device shows now; each code works once.',
  cause: 'The code belongs to another device or time, or was already used: each code works once.',
  fix: 'Wait for the next code. If codes never work, the clock of the device may be wrong by more than 30 seconds.',
});

export const tooManyMfaAttempts = defineError({
  code: 'too_many_mfa_attempts',
  status: 429,
  security: SecurityEvent.SignInLocked,
  message: 'Too many wrong codes for this factor.',
  hint: 'Wait for the seconds given in Retry-After, or use another factor or a recovery code.',
  cause: 'Five wrong codes lock a factor for 15 minutes, and every five more for twice as long, up to a day.',
  fix: 'The lock ends by itself. Meanwhile, use another factor or a recovery code, which unlocks all devices. Operators can unlock a user with `npm run cli -- users unlock`.',
});

export const secondFactorRequired = defineError({
  code: 'second_factor_required',
  status: 403,
  message: 'This requires a session with a second factor.',
  hint: 'Give the second factor with one of the mfa/auth operations, then call again.',
  cause:
    'The session was opened with a first factor only, and the call changes something that the second factor protects.',
  fix: 'Call authenticateMfaPasskeyDevice, authMfaTotpDevice or authMfaRecovery in the same session, then repeat the call.',
});

export const mfaTokenRefused = defineError({
  code: 'mfa_token_refused',
  status: 401,
  security: SecurityEvent.TokenRefused,
  message: 'The MFA token is not valid for this action.',
  hint: 'Give the second factor with `createMfaToken` and send the `mfaToken` from the response in `x-mfa-auth-token`.',
  cause: 'It is older than five minutes, was already used, or belongs to another user, session or action.',
  fix: 'Give the second factor again in this session, with `createMfaToken`, and use the token once.',
});
