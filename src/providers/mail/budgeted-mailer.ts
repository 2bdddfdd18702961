import { mailBudgetUsedUp } from '../providers.errors.js';
import type { MailBudget } from './mail-budget.repository.js';
import { DeploymentMailer, type Mail, type Mailer } from './mailer.js';

/** The mailer of the deployment with its hourly limit. */
export class BudgetedMailer extends DeploymentMailer {
  constructor(
    private readonly mailer: Mailer,
    private readonly budget: Pick<MailBudget, 'take'>,
    private readonly perHour: number,
  ) {
    super();
  }

  override async send(mail: Mail): Promise<void> {
    const retryAfterSeconds = await this.budget.take(this.perHour);
    if (retryAfterSeconds !== null) throw mailBudgetUsedUp({ retryAfterSeconds });
    await this.mailer.send(mail);
  }
}
