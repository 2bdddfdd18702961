import { defineError } from '../../../common/errors/index.js';
import { SecurityEvent } from '../../../common/security/index.js';

export const wrongSmsCode = defineError({
  code: 'wrong_sms_verification_token',
  status: 422,
  security: SecurityEvent.CodeFailed,
  message: 'This code is not valid.',
  hint: 'Check the six digits, or ask for a new code.',
  cause:
    'The code is wrong, older than five minutes, already used or replaced by a newer one, or the verification does not exist. The response does not say which.',
  fix: 'Enter the newest code, or ask for another.',
});

export const tooManySmsAttempts = defineError({
  code: 'too_many_sms_verification_attempts',
  status: 422,
  security: SecurityEvent.SignInLocked,
  message: 'This code was tried five times and is no longer valid.',
  hint: 'Ask for a new code.',
  cause: 'A code can be tried five times, whether by its owner or by someone guessing.',
  fix: 'Ask for another code; the verification stays the same.',
});

export const invalidSmsVerification = defineError({
  code: 'invalid_sms_verification',
  status: 422,
  message: 'No verification with this id exists for this number.',
  hint: 'Start a new verification.',
  cause: 'The verification is unknown, was used, or was started for another number.',
  fix: 'Create a verification for the number and use its id.',
});

export const smsBudgetUsedUp = defineError({
  code: 'sms_budget_used_up',
  status: 429,
  security: SecurityEvent.RateLimited,
  message: 'This environment has reached its daily limit of text messages.',
  hint: 'Try again after the seconds given in Retry-After, or sign in another way.',
  cause:
    'Text messages cost money, and fraudsters profit from sending many to premium-rate numbers. So an environment sends no more than `SMS_PER_DAY` in 24 hours.',
  fix: 'Operators: raise `SMS_PER_DAY`. Teams: look for suspicious numbers, and restrict `enabledCountries`.',
});
