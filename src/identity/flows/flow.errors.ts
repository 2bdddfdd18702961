import { defineError } from '../../common/errors/index.js';

export const emailAlreadyExists = defineError({
  code: 'email_already_exists',
  status: 422,
  message: 'Another user has proven this address.',
  hint: 'Sign in as the other user, or use another address.',
  cause: 'The code was correct, but another user of the environment had already proven the address.',
  fix: 'Use another address, or remove it from the other user first.',
});

export const captchaUnavailable = defineError({
  code: 'captcha_unavailable',
  status: 503,
  message: 'The captcha of this environment cannot be checked.',
  hint: 'Try again after the seconds given in Retry-After, with a new captcha.',
  cause:
    'The captcha vendor did not answer within five seconds, or does not recognize the secret key of the environment. The service refuses rather than skip the check.',
  fix: 'Try again. If it persists, check `security.captcha.siteKey` and `secretKey`, or leave both empty to use a proof of work, which needs no vendor.',
});

export const captchaRefused = defineError({
  code: 'captcha_refused',
  status: 422,
  message: 'This environment requires a captcha, and this one was not accepted.',
  hint: 'Solve a new captcha and send its token as captchaToken.',
  cause:
    '`captchaToken` is missing, was used before, is too old or belongs to another site, or the vendor takes the visitor for a bot. Without a site key in the settings a proof of work is required: the solution of getCaptchaChallenge.',
  fix: 'Show a new captcha for every call: each token can be used once.',
});

export const weakProof = defineError({
  code: 'weak_proof',
  status: 422,
  message: 'This proof does not identify you.',
  hint: 'Sign in another way.',
  cause:
    'The method proved nothing itself: it only repeats an address or name stated by someone else. Such a proof cannot match or claim a user.',
  fix: 'Sign in with a method that proves an account, an address, a number or a wallet.',
});

export const credentialAlreadyLinked = defineError({
  code: 'credential_already_linked',
  status: 422,
  message: 'This credential belongs to another user.',
  hint: 'Sign in as the other user, or use another credential.',
  cause: 'The proof was correct, but another user of the environment had already proven the same identifier.',
  fix: 'Use another credential, or remove it from the other user first.',
});
