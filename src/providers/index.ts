export { EMAIL_ONLY, EmailProviders } from './email-providers.js';
export { codeMail, type CodeMail, type MailContent } from './mail/code-mail.js';
export { DevInbox, type InboxEntry } from './mail/dev-inbox.js';
export { singleLine } from './mail/mail-text.js';
export { Mailer, type Mail } from './mail/mailer.js';
export { ProvidersModule } from './providers.module.js';
