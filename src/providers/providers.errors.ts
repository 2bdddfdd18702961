import { defineError } from '../common/errors/index.js';

export const noEnabledEmailProvider = defineError({
  code: 'no_enabled_email_provider',
  status: 422,
  message: 'Sign-in by email is switched off here.',
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
