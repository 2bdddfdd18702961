import { defineError } from '../../common/errors/index.js';

export const usernameAlreadyExists = defineError({
  code: 'username_already_exists',
  status: 422,
  message: 'Somebody here has this username.',
  hint: 'Choose another name.',
  cause: 'Another user of the environment has the same name; upper and lower case count as the same.',
  fix: 'Choose another name.',
});

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
  hint: 'Switch the captcha off in the settings of the environment.',
  cause:
    'The environment demands a captcha, and this service has nothing to check one with. It refuses rather than skip it.',
  fix: 'Set `security.captcha.enabled` to false.',
});
