import { Injectable } from '@nestjs/common';
import { notFound } from '../common/errors/index.js';
import { newId } from '../common/ids.js';
import { Outbox, type EnvironmentId, type Transaction } from '../database/index.js';
import { ChangeLog, type Actor, type Change } from '../organizations/index.js';
import { selectEvents } from './event-selection.js';
import { PAYLOAD_VERSION } from './payload-version.js';
import { shownWebhook } from './shown-webhook.js';
import { WebhookSecret } from './webhook-secret.js';
import { WebhookSecrets, type SealedSecret } from './webhook-secrets.js';
import { WebhookTargets } from './webhook-targets.js';
import type { WebhookUpdateRequest } from './webhook.dto.js';
import { tooManyWebhooks } from './webhook.errors.js';
import { PING, WEBHOOK_CREATED, WEBHOOK_DELETED, WEBHOOK_UPDATED } from './webhook.events.js';
import { WebhooksRepository, type WebhookRow } from './webhooks.repository.js';

const MAX_PER_ENVIRONMENT = 20;

/** What a webhook asks for, checked. */
export type WebhookTerms = Pick<WebhookRow, 'url' | 'events' | 'isEnabled'>;

/** A webhook that is not stored yet. */
export interface PreparedWebhook {
  id: string;
  secret: WebhookSecret;
  sealed: SealedSecret;
}

/** Changes of webhooks, each with its record and event, in the transaction of whoever asks. */
@Injectable()
export class WebhookWriter {
  constructor(
    private readonly webhooks: WebhooksRepository,
    private readonly targets: WebhookTargets,
    private readonly secrets: WebhookSecrets,
    private readonly outbox: Outbox,
    private readonly changes: ChangeLog,
  ) {}

  /** @throws webhook_url_refused, unknown_event */
  check({ url, events, isEnabled }: WebhookUpdateRequest): WebhookTerms {
    return { url: this.targets.parse(url), events: selectEvents(events), isEnabled };
  }

  /** The id and secret of a new webhook. The vault may be far away, so a transaction does not wait for it. */
  async prepare(environmentId: EnvironmentId): Promise<PreparedWebhook> {
    const [id, secret] = [newId(), WebhookSecret.generate()];
    return { id, secret, sealed: await this.secrets.seal(secret, { environmentId, webhookId: id }) };
  }

  /** @throws too_many_webhooks */
  async create(
    environmentId: EnvironmentId,
    { id, sealed }: PreparedWebhook,
    terms: WebhookTerms,
    actor: Actor,
    tx: Transaction,
  ): Promise<WebhookRow> {
    const webhook = { id, ...terms, version: PAYLOAD_VERSION, ...sealed };
    const row = await this.webhooks.insertWithin(MAX_PER_ENVIRONMENT, environmentId, webhook, tx);
    if (!row) throw tooManyWebhooks();
    await this.record(environmentId, { event: WEBHOOK_CREATED, id, before: null, after: row, actor }, tx);
    const ping = { event: PING, resourceId: id, data: { webhookId: id } };
    if (row.isEnabled) await this.outbox.append(environmentId, [ping], tx);
    return row;
  }

  /** @throws notFound */
  async update(
    environmentId: EnvironmentId,
    id: string,
    terms: WebhookTerms,
    actor: Actor,
    tx: Transaction,
  ): Promise<WebhookRow> {
    const before = await this.webhooks.lockOne(environmentId, id, tx);
    const after = before && (await this.webhooks.change(environmentId, id, terms, tx));
    if (!after) throw notFound();
    await this.record(environmentId, { event: WEBHOOK_UPDATED, id, before, after, actor }, tx);
    return after;
  }

  /** @throws notFound */
  async delete(environmentId: EnvironmentId, id: string, actor: Actor, tx: Transaction): Promise<void> {
    const before = await this.webhooks.lockOne(environmentId, id, tx);
    const row = before && (await this.webhooks.markDeleted(environmentId, id, tx));
    if (!row) throw notFound();
    const told = { event: WEBHOOK_DELETED, id, before, after: null, actor, data: shownWebhook(row) };
    await this.record(environmentId, told, tx);
  }

  private async record(
    environmentId: EnvironmentId,
    {
      id,
      before,
      after,
      ...change
    }: Pick<Change, 'event' | 'actor' | 'data'> & { id: string; before: WebhookRow | null; after: WebhookRow | null },
    tx: Transaction,
  ): Promise<void> {
    const states = { before: before && shownWebhook(before), after: after && shownWebhook(after) };
    const resource = { type: 'webhook', id };
    await this.changes.record({ scope: { environmentId }, resource, ...change, ...states }, tx);
  }
}
