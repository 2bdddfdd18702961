import { Injectable } from '@nestjs/common';
import type { TenantEnvironment } from '../../auth/index.js';
import { newId } from '../../common/ids.js';
import type { EnvironmentId } from '../../database/index.js';
import { Attempts } from '../delivery/attempt.service.js';
import { WebhooksRepository } from '../webhooks.repository.js';
import type { LiveEvent } from './live-events.repository.js';
import { unclaimedMessage } from './unclaimed-message.js';

/** The outcome of a sample at one webhook. */
export interface SampleResult {
  webhookId: string;
  url: string;
  delivered: boolean;
  /** The response status, or why there was none. */
  outcome: number | string;
  durationMs: number;
}

/**
 * Sends a made-up event, marked as a sample. One attempt, signed and guarded like any other; nothing is stored, since
 * lists of events and messages show only what did happen.
 */
@Injectable()
export class WebhookSamples {
  constructor(
    private readonly webhooks: WebhooksRepository,
    private readonly attempts: Attempts,
  ) {}

  /** The enabled webhooks subscribed to an event. */
  async listAsking(environmentId: EnvironmentId, eventName: string): Promise<string[]> {
    const rows = await this.webhooks.listAll(environmentId);
    return rows
      .filter(({ isEnabled, events }) => isEnabled && events.includes(eventName))
      .map(({ webhookId }) => webhookId);
  }

  /** Null if there is no such webhook. A disabled one can still be tested. */
  async send(
    environmentId: EnvironmentId,
    kind: TenantEnvironment['kind'],
    webhookId: string,
    event: LiveEvent,
  ): Promise<SampleResult | null> {
    const webhook = await this.webhooks.findOne(environmentId, webhookId);
    const keys = await this.webhooks.findKeys(environmentId, webhookId);
    if (!webhook || !keys) return null;
    const addressee = { ...webhook, ...keys, kind, messageId: newId(), sample: true as const };
    const { outcome, response } = await this.attempts.make(unclaimedMessage(event, addressee));
    const { status, error, durationMs } = response as { status?: number; error?: string; durationMs: number };
    return {
      ...{ webhookId, url: webhook.url, durationMs },
      delivered: outcome === 'delivered',
      outcome: status ?? error ?? 'no answer',
    };
  }
}
