import { defineError } from '../../../common/errors/index.js';

export const wrongSmsCode = defineError({
  code: 'wrong_sms_verification_token',
  status: 422,
  message: 'This code is not valid.',
  hint: 'Check the six digits, or ask for a new code.',
  cause:
    'The code is wrong, older than five minutes, was used, was replaced by a newer one, or the verification does not exist. Which of these is not told.',
  fix: 'Enter the newest code, or ask for another.',
});

export const tooManySmsAttempts = defineError({
  code: 'too_many_sms_verification_attempts',
  status: 422,
  message: 'This code was tried five times and is dead.',
  hint: 'Ask for a new code.',
  cause: 'A code can be tried five times, whether by its owner or by somebody who guesses.',
  fix: 'Ask for another code; the verification stays the same.',
});

export const invalidSmsVerification = defineError({
  code: 'invalid_sms_verification',
  status: 422,
  message: 'There is no such verification for this number.',
  hint: 'Start a new verification.',
  cause: 'The verification is unknown, was used, or was started for another number.',
  fix: 'Create a verification for the number and use its id.',
});

export const smsBudgetUsedUp = defineError({
  code: 'sms_budget_used_up',
  status: 429,
  message: 'This environment has sent as many text messages as it may in a day.',
  hint: 'Try again after the seconds given in Retry-After, or sign in another way.',
  cause:
    'Text messages cost money, and numbers that share in the price are called in bulk. So an environment sends no more than SMS_PER_DAY of the deployment in 24 hours.',
  fix: 'Operators: raise `SMS_PER_DAY`. Teams: look for numbers that nobody uses, and narrow `enabledCountries`.',
});
