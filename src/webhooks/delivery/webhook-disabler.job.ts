import { Injectable, Logger } from '@nestjs/common';
import { mintEnvironmentId } from '../../auth/index.js';
import { UnitOfWork } from '../../database/index.js';
import { ChangeLog, SERVICE } from '../../organizations/index.js';
import { JobQueue } from '../../queue/index.js';
import { NoticesRepository } from '../notices/notices.repository.js';
import { shownWebhook } from '../shown-webhook.js';
import { WEBHOOK_DISABLED } from '../webhook.events.js';
import { WebhooksRepository } from '../webhooks.repository.js';
import { NOTICE_BELL } from './bells.js';
import type { FailedTarget } from './results.repository.js';

/** Disables webhooks that keep failing, and reports it: in an event, in the audit trail, and by email to the owners. */
@Injectable()
export class WebhookDisabler {
  private readonly log = new Logger('Webhooks');

  constructor(
    private readonly webhooks: WebhooksRepository,
    private readonly notices: NoticesRepository,
    private readonly queue: JobQueue,
    private readonly work: UnitOfWork,
    private readonly changes: ChangeLog,
  ) {}

  /** A no-op if the webhook's URL has changed since the failure. `gone` is a 410 response. */
  async disable(target: FailedTarget, reason: 'gone' | 'failing'): Promise<void> {
    const { webhookId, url } = target;
    const environmentId = mintEnvironmentId(target.environmentId);
    await this.work.run(async (tx) => {
      const found = await this.webhooks.lockOne(environmentId, webhookId, tx);
      const row = found && (await this.webhooks.disable(environmentId, webhookId, url, tx));
      if (!row) return;
      const [before, after] = [shownWebhook(found), shownWebhook(row)];
      const resource = { type: 'webhook', id: webhookId };
      const change = { event: WEBHOOK_DISABLED, resource, before, after, data: { ...after, reason } };
      await this.changes.record({ scope: { environmentId }, actor: SERVICE, ...change }, tx);
      await this.notices.add(environmentId, { webhookId, url, reason }, tx);
      tx.afterCommit(() => this.queue.ring(NOTICE_BELL));
      this.log.warn(`Webhook ${webhookId} of environment ${environmentId} is disabled: ${reason}`);
    });
  }
}
