import { defineError } from '../../common/errors/index.js';

export const emailAlreadyExists = defineError({
  code: 'email_already_exists',
  status: 422,
  message: 'This address is the proven address of another user.',
  hint: 'Sign in as the other user, or use another address.',
  cause: 'The code was right, but the address had been proven by another user of the environment before.',
  fix: 'Use another address, or remove it from the other user first.',
});

export const captchaUnavailable = defineError({
  code: 'captcha_unavailable',
  status: 503,
  message: 'The captcha of this environment cannot be checked.',
  hint: 'Try again in a moment.',
  cause:
    'The vendor of the captcha did not answer within five seconds, or does not know the secret key of the environment. The service refuses rather than let everybody in.',
  fix: 'Try again. When it goes on, check `security.captcha.siteKey` and `secretKey`, or leave both empty for a proof of work, which needs no vendor.',
});

export const captchaRefused = defineError({
  code: 'captcha_refused',
  status: 422,
  message: 'This environment asks for a captcha, and it does not accept this one.',
  hint: 'Have a new captcha solved and send its token as captchaToken.',
  cause:
    'There is no `captchaToken`, it was used before or is too old, it is of another site, or the vendor takes the visitor for a program. Without a site key in the settings a proof of work is asked for: the answer to getCaptchaChallenge.',
  fix: 'Show the captcha again for every call: a token is good once.',
});

export const weakProof = defineError({
  code: 'weak_proof',
  status: 422,
  message: 'This proof does not say who you are.',
  hint: 'Sign in another way.',
  cause:
    'The method has proven nothing itself: it only repeats an address or a name that somebody else states. Such a proof finds and claims no user.',
  fix: 'Sign in by a method that proves an account, an address, a number or a wallet.',
});

export const credentialAlreadyLinked = defineError({
  code: 'credential_already_linked',
  status: 422,
  message: 'This is a proven credential of another user.',
  hint: 'Sign in as the other user, or use another credential.',
  cause: 'The proof was right, but another user of the environment has proven the same identifier before.',
  fix: 'Use another credential, or remove it from the other user first.',
});
