import { mailBudgetUsedUp } from '../providers.errors.js';
import type { MailBudget } from './mail-budget.repository.js';
import { DeploymentMailer, type Mail, type Mailer } from './mailer.js';
import { isSurelyUnsent, NothingLeft } from './unsent-mail.js';

/** The mailer of the deployment with its hourly limit. */
export class BudgetedMailer extends DeploymentMailer {
  constructor(
    private readonly mailer: Mailer,
    private readonly budget: Pick<MailBudget, 'take' | 'giveBack'>,
    private readonly perHour: number,
  ) {
    super();
  }

  override async send(mail: Mail): Promise<void> {
    const retryAfterSeconds = await this.budget.take(this.perHour);
    if (retryAfterSeconds !== null) throw mailBudgetUsedUp({ retryAfterSeconds, cause: new NothingLeft() });
    try {
      await this.mailer.send(mail);
    } catch (error) {
      // Otherwise an outage of the mail server would go on for the rest of the hour.
      if (isSurelyUnsent(error)) await this.budget.giveBack();
      throw error;
    }
  }
}
