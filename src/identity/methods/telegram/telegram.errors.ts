import { defineError } from '../../../common/errors/index.js';
import { SecurityEvent } from '../../../common/security/index.js';

export const telegramLoginInvalid = defineError({
  code: 'telegram_login_invalid',
  status: 422,
  security: SecurityEvent.ProofRefused,
  message: 'Telegram did not sign this login.',
  hint: 'Send the data from the login widget or mini app unchanged.',
  cause:
    'The hash of the login does not match the bot token, a field was changed, added or omitted, or the login contains no account.',
  fix: 'Check that the provider has the token of the bot shown in the widget, and that every field is sent as received.',
});

export const telegramLoginExpired = defineError({
  code: 'telegram_login_expired',
  status: 422,
  message: 'This login is too old.',
  hint: 'Press the Telegram button again.',
  cause:
    'A login is valid for five minutes after `auth_date`, which may be up to one minute ahead of the service’s clock.',
  fix: 'Log in again, and send the login immediately.',
});

export const telegramLoginUsed = defineError({
  code: 'telegram_login_used',
  status: 422,
  security: SecurityEvent.ProofRefused,
  message: 'This login was used before.',
  hint: 'Press the Telegram button again.',
  cause: 'A login can be used once, in one browser and with one state.',
  fix: 'Begin again with a new state.',
});

export const telegramLoginMissing = defineError({
  code: 'telegram_login_missing',
  status: 422,
  message: 'There is no login for this state in this browser.',
  hint: 'Open the page with the button in the browser that is to sign in, and call with its cookies.',
  cause:
    'The person has not returned from Telegram, the login was already used, ten minutes have passed, or the call came without the cookie set by the page with the button. This prevents one person from using another’s login.',
  fix: 'Open `GET /sdk/{environmentId}/telegram/auth` with your own state; then sign in with that state and with credentials. If the browser keeps no cookie, send `telegramAuthToken`.',
});

export const telegramAccountUnknown = defineError({
  code: 'telegram_account_unknown',
  status: 422,
  message: 'No user has this account.',
  hint: 'Omit `forceCreateUser` to create the user.',
  cause: 'The call asked to sign in an existing user (`forceCreateUser: false`), and no user has this account.',
  fix: 'Sign in without `forceCreateUser: false`, or have the user link the account first.',
});
