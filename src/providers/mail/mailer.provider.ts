import type { Provider } from '@nestjs/common';
import { Config } from '../../config/index.js';
import { VendorFigures } from '../../observability/index.js';
import { BudgetedMailer } from './budgeted-mailer.js';
import { DevInboxMailer } from './dev-inbox-mailer.js';
import { DevInbox } from './dev-inbox.js';
import { MailBudget } from './mail-budget.repository.js';
import { DeploymentMailer, Mailer } from './mailer.js';
import { NoMailer } from './no-mailer.js';
import { SmtpMailer } from './smtp-mailer.js';
import { VendorMailer } from './vendor-mailer.js';

/** The largest `integer` of PostgreSQL. */
const MOST_COUNTED = 2_147_483_647;

/** SMTP if configured, else the development inbox; in production without SMTP nothing is sent. */
export function chooseMailer(config: Config, inbox: DevInbox, figures: VendorFigures): Mailer {
  const url = config.get('SMTP_URL');
  const requireTls = config.get('SMTP_TLS') === 'required';
  if (url) return new SmtpMailer({ url, from: config.get('MAIL_FROM'), requireTls }, figures);
  return config.isProduction ? new NoMailer() : new DevInboxMailer(inbox);
}

export const MAILER: Provider[] = [
  MailBudget,
  {
    provide: DeploymentMailer,
    useFactory: (config: Config, inbox: DevInbox, budget: MailBudget, figures: VendorFigures) => {
      const scaled = Math.round(config.get('MAILS_PER_HOUR') * config.get('RATE_LIMIT_SCALE'));
      const perHour = Math.min(Math.max(1, scaled), MOST_COUNTED);
      return new BudgetedMailer(chooseMailer(config, inbox, figures), budget, perHour);
    },
    inject: [Config, DevInbox, MailBudget, VendorFigures],
  },
  { provide: Mailer, useClass: VendorMailer },
];
