import { defineError } from '../../../common/errors/index.js';
import { SecurityEvent } from '../../../common/security/index.js';

export const wrongEmailCode = defineError({
  code: 'wrong_email_verification_token',
  status: 422,
  security: SecurityEvent.CodeFailed,
  message: 'This code is not valid.',
  hint: 'Check the six digits, or ask for a new code.',
  cause:
    'The code is wrong, older than ten minutes, already used or replaced by a newer one, or the verification does not exist. The response does not say which.',
  fix: 'Enter the newest code, or ask for another.',
});

export const tooManyEmailAttempts = defineError({
  code: 'too_many_email_verification_attempts',
  status: 422,
  security: SecurityEvent.SignInLocked,
  message: 'This code was tried five times and is no longer valid.',
  hint: 'Ask for a new code.',
  cause: 'A code can be tried five times, whether by its owner or by someone guessing.',
  fix: 'Ask for another code; the verification stays the same.',
});

export const invalidEmailVerification = defineError({
  code: 'invalid_email_verification',
  status: 422,
  message: 'No verification with this id exists for this address.',
  hint: 'Start a new verification.',
  cause: 'The verification is unknown, was used, or was started for another address.',
  fix: 'Create a verification for the address and use its id.',
});
