import { defineError } from '../../../common/errors/index.js';

export const wrongEmailCode = defineError({
  code: 'wrong_email_verification_token',
  status: 422,
  message: 'This code is not valid.',
  hint: 'Check the six digits, or ask for a new code.',
  cause:
    'The code is wrong, older than ten minutes, was used, was replaced by a newer one, or the verification does not exist. Which of these is not told.',
  fix: 'Enter the newest code, or ask for another.',
});

export const tooManyEmailAttempts = defineError({
  code: 'too_many_email_verification_attempts',
  status: 422,
  message: 'This code was tried five times and is dead.',
  hint: 'Ask for a new code.',
  cause: 'A code can be tried five times, whether by its owner or by somebody who guesses.',
  fix: 'Ask for another code; the verification stays the same.',
});

export const invalidEmailVerification = defineError({
  code: 'invalid_email_verification',
  status: 422,
  message: 'There is no such verification for this address.',
  hint: 'Start a new verification.',
  cause: 'The verification is unknown, was used, or was started for another address.',
  fix: 'Create a verification for the address and use its id.',
});
