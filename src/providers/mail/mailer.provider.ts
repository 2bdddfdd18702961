import type { Provider } from '@nestjs/common';
import { RateLimiter } from '../../auth/index.js';
import { Config } from '../../config/index.js';
import { BudgetedMailer } from './budgeted-mailer.js';
import { DevInboxMailer } from './dev-inbox-mailer.js';
import { DevInbox } from './dev-inbox.js';
import { DeploymentMailer, Mailer } from './mailer.js';
import { NoMailer } from './no-mailer.js';
import { SmtpMailer } from './smtp-mailer.js';
import { VendorMailer } from './vendor-mailer.js';

/** SMTP where a server is configured; else the development inbox, which production never has. */
export function chooseMailer(config: Config, inbox: DevInbox): Mailer {
  const url = config.get('SMTP_URL');
  if (url)
    return new SmtpMailer({ url, from: config.get('MAIL_FROM'), requireTls: config.get('SMTP_TLS') === 'required' });
  return config.isProduction ? new NoMailer() : new DevInboxMailer(inbox);
}

export const MAILER: Provider[] = [
  {
    provide: DeploymentMailer,
    useFactory: (config: Config, inbox: DevInbox, limiter: RateLimiter) =>
      new BudgetedMailer(chooseMailer(config, inbox), limiter, config.get('MAILS_PER_HOUR')),
    inject: [Config, DevInbox, RateLimiter],
  },
  { provide: Mailer, useClass: VendorMailer },
];
