import type { RateLimiter } from '../../auth/index.js';
import { mailBudgetUsedUp } from '../providers.errors.js';
import { DeploymentMailer, type Mail, type Mailer } from './mailer.js';

/** The mailer of the deployment, as long as it has sent no more than it may in an hour, whoever asked for it. */
export class BudgetedMailer extends DeploymentMailer {
  private readonly budget: { name: string; limit: number; windowSeconds: number };

  constructor(
    private readonly mailer: Mailer,
    private readonly limiter: Pick<RateLimiter, 'take'>,
    perHour: number,
  ) {
    super();
    this.budget = { name: 'mails', limit: perHour, windowSeconds: 3_600 };
  }

  override async send(mail: Mail): Promise<void> {
    const waitSeconds = await this.limiter.take(this.budget, 'deployment');
    if (waitSeconds !== null) throw mailBudgetUsedUp({ retryAfterSeconds: waitSeconds });
    await this.mailer.send(mail);
  }
}
