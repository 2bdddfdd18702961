import { defineError } from '../../../common/errors/index.js';
import { SecurityEvent } from '../../../common/security/index.js';

export const telegramLoginInvalid = defineError({
  code: 'telegram_login_invalid',
  status: 422,
  security: SecurityEvent.ProofRefused,
  message: 'The messaging network has not signed this login.',
  hint: 'Send what the login widget or the mini app gave, unchanged.',
  cause:
    'The hash of the login is not one that the token of the bot gives, a field was changed, added or left out, or there is no account in it.',
  fix: 'Check that the provider has the token of the bot that the widget shows, and that every field is sent as it came.',
});

export const telegramLoginExpired = defineError({
  code: 'telegram_login_expired',
  status: 422,
  message: 'This login is too old.',
  hint: 'Press the button of the messaging network again.',
  cause:
    'A login is good for five minutes after `auth_date`, which may be one minute ahead of the clock of the service.',
  fix: 'Sign in with a new login, and send it at once.',
});

export const telegramLoginUsed = defineError({
  code: 'telegram_login_used',
  status: 422,
  security: SecurityEvent.ProofRefused,
  message: 'This login was used before.',
  hint: 'Press the button of the messaging network again.',
  cause: 'A login is good once, in one browser and under one state.',
  fix: 'Begin again with a new state.',
});

export const telegramLoginMissing = defineError({
  code: 'telegram_login_missing',
  status: 422,
  message: 'There is no login for this state in this browser.',
  hint: 'Open the page of the button in the browser that is to sign in, and call with its cookies.',
  cause:
    'The person has not come back from the messaging network, the login was used, ten minutes have passed, or the call came without the cookie that the page of the button set. So nobody can use a login that another person made.',
  fix: 'Open `GET /sdk/{environmentId}/telegram/auth` with a state of your own; then sign in with that state and with credentials. Where a browser keeps no cookie, send `telegramAuthToken`.',
});

export const telegramAccountUnknown = defineError({
  code: 'telegram_account_unknown',
  status: 422,
  message: 'Nobody here has this account.',
  hint: 'Leave `forceCreateUser` out to create the user.',
  cause:
    'The call asked with `forceCreateUser: false` to sign in a user who exists, and the account is not known here.',
  fix: 'Sign in without `forceCreateUser: false`, or have the person tie the account to their user first.',
});
