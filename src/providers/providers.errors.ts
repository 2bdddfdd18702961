import { defineError } from '../common/errors/index.js';
import { SecurityEvent } from '../common/security/index.js';

export const noEnabledEmailProvider = defineError({
  code: 'no_enabled_email_provider',
  status: 422,
  message: 'Sign-in by email is turned off here.',
  hint: 'Enable an email provider in the settings of the environment.',
  cause: 'The environment has no enabled provider that can send codes to an email address.',
  fix: 'Enable the provider `emailOnly`, or offer another way to sign in.',
});

export const mailUnavailable = defineError({
  code: 'mail_unavailable',
  status: 503,
  message: 'The email could not be handed to the mail server.',
  hint: 'Ask for the code again after the seconds given in Retry-After.',
  cause: 'The mail server is not configured, did not answer in time, or refused the message.',
  fix: 'Try again. Operators: check `SMTP_URL`, and that the server accepts `MAIL_FROM` as sender.',
});

export const mailBudgetUsedUp = defineError({
  code: 'mail_budget_used_up',
  status: 429,
  security: SecurityEvent.RateLimited,
  message: 'This deployment has reached its hourly limit of emails.',
  hint: 'Try again after the seconds given in Retry-After, or sign in another way.',
  cause:
    'All emails sent through the deployment’s mail server count together, so that it cannot be abused to spam strangers. Environments with their own mail provider are not counted.',
  fix: 'Operators: check who the emails were for, and raise `MAILS_PER_HOUR` if they were legitimate.',
});

export const noEnabledSmsProvider = defineError({
  code: 'no_enabled_sms_provider',
  status: 422,
  message: 'Sign-in by text message is turned off here.',
  hint: 'Enable an SMS provider in the settings of the environment.',
  cause: 'The environment has no enabled provider of the type `sms`.',
  fix: 'Set up and enable the provider `sms`, or offer another way to sign in.',
});

export const smsCountryNotEnabled = defineError({
  code: 'sms_country_not_enabled',
  status: 422,
  message: 'Text messages are not sent to numbers of this country.',
  hint: 'Use a number of another country, or another way to sign in.',
  cause:
    'The country of the number is not among the `enabledCountries` of the SMS provider, or is switched off in the account with the vendor.',
  fix: 'Add the country to `enabledCountries` of the provider `sms`, and allow it in the account, if you expect users from it.',
});

export const smsNumberRefused = defineError({
  code: 'sms_number_refused',
  status: 422,
  message: 'Text messages cannot be sent to this number.',
  hint: 'Check the number, or use another one, or another way to sign in.',
  cause:
    'The SMS provider says that there is no such number, that it gets no text messages, or that its owner has opted out of them.',
  fix: 'Correct the number. Whoever has opted out can opt in again by answering the sender, usually with START.',
});

export const smsUnavailable = defineError({
  code: 'sms_unavailable',
  status: 503,
  message: 'The text message could not be sent.',
  hint: 'Ask for the code again after the seconds given in Retry-After.',
  cause: 'The SMS provider did not answer in time, or refused the message.',
  fix: 'Try again. Teams: check the account, secret and sender number of the provider `sms`.',
});
