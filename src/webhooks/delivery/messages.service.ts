import { Injectable } from '@nestjs/common';
import { notFound } from '../../common/errors/index.js';
import type { EnvironmentId, Executor, Work } from '../../database/index.js';
import { JobQueue } from '../../queue/index.js';
import { PAGE_SIZE, pageOf, parseCursor, type Page } from '../page-cursor.js';
import { webhookDisabled } from '../webhook.errors.js';
import { WebhooksRepository, type WebhookRow } from '../webhooks.repository.js';
import { DELIVER_BELL } from './bells.js';
import { MessagesRepository } from './messages.repository.js';
import type { WebhookMessageDelivery, WebhookMessageRedeliveryResponse } from './webhook-message.dto.js';

/** The messages sent to a webhook. */
@Injectable()
export class MessagesService {
  constructor(
    private readonly messages: MessagesRepository,
    private readonly webhooks: WebhooksRepository,
    private readonly queue: JobQueue,
  ) {}

  async list(environmentId: EnvironmentId, webhookId: string, cursor?: string): Promise<Page<WebhookMessageDelivery>> {
    const below = parseCursor(cursor);
    await this.getWebhook(environmentId, webhookId);
    const rows = await this.messages.listLatest(environmentId, webhookId, below, PAGE_SIZE + 1);
    return pageOf(rows, ({ messageId }) => messageId);
  }

  /** Empty until the first attempt. */
  async listAttempts(
    environmentId: EnvironmentId,
    webhookId: string,
    messageId: string,
    cursor?: string,
  ): Promise<Page<WebhookMessageDelivery>> {
    const before = parseCursor(cursor);
    await this.getWebhook(environmentId, webhookId);
    const rows = await this.messages.listAttempts(environmentId, { webhookId, messageId }, before, PAGE_SIZE + 1);
    if (rows.length === 0) await this.assertMessage(environmentId, webhookId, messageId);
    return pageOf(rows, ({ deliveryId }) => deliveryId);
  }

  /** Concurrent calls lead to one attempt, and all get the same response. */
  async redeliver(
    environmentId: EnvironmentId,
    webhookId: string,
    messageId: string,
    work: Work,
  ): Promise<WebhookMessageRedeliveryResponse> {
    await this.assertEnabled(environmentId, webhookId);
    await work.run(async (tx) => {
      const granted = await this.messages.redeliver(environmentId, webhookId, messageId, tx);
      if (!granted) {
        // Not only a repeated request is not granted, but also one that a change of the webhook has overtaken.
        await this.assertEnabled(environmentId, webhookId, tx);
        await this.assertMessage(environmentId, webhookId, messageId, tx);
      }
      // Even for a request that came too late: its row lock may have made a claim skip the message.
      tx.afterCommit(() => this.queue.ring(DELIVER_BELL));
    });
    return { message: 'The message is being delivered again.' };
  }

  private async getWebhook(environmentId: EnvironmentId, webhookId: string, on?: Executor): Promise<WebhookRow> {
    const webhook = await this.webhooks.findOne(environmentId, webhookId, on);
    if (!webhook) throw notFound();
    return webhook;
  }

  private async assertEnabled(environmentId: EnvironmentId, webhookId: string, on?: Executor): Promise<void> {
    const { isEnabled } = await this.getWebhook(environmentId, webhookId, on);
    if (!isEnabled) throw webhookDisabled();
  }

  private async assertMessage(
    environmentId: EnvironmentId,
    webhookId: string,
    id: string,
    on?: Executor,
  ): Promise<void> {
    if (!(await this.messages.find(environmentId, { webhookId, id }, on))) throw notFound();
  }
}
