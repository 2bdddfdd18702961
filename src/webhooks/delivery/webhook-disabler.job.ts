import { Injectable, Logger } from '@nestjs/common';
import { mintEnvironmentId } from '../../auth/index.js';
import { Outbox, UnitOfWork } from '../../database/index.js';
import { WEBHOOK_DISABLED } from '../webhook.events.js';
import { WebhooksRepository } from '../webhooks.repository.js';
import type { FailedTarget } from './results.repository.js';

/** Ends what leads nowhere, and says so. */
@Injectable()
export class WebhookDisabler {
  private readonly log = new Logger('Webhooks');

  constructor(
    private readonly webhooks: WebhooksRepository,
    private readonly work: UnitOfWork,
    private readonly outbox: Outbox,
  ) {}

  /** Does nothing to a webhook whose address has changed since it failed. `gone` is an answer of 410. */
  async disable(target: FailedTarget, reason: 'gone' | 'failing'): Promise<void> {
    const { webhookId, url } = target;
    const environmentId = mintEnvironmentId(target.environmentId);
    await this.work.run(async (tx) => {
      const row = await this.webhooks.disable(environmentId, webhookId, url, tx);
      if (!row) return;
      const data = { ...row, reason };
      await this.outbox.append(environmentId, [{ event: WEBHOOK_DISABLED, resourceId: webhookId, data }], tx);
      this.log.warn(`Webhook ${webhookId} of environment ${environmentId} is disabled: ${reason}`);
    });
  }
}
