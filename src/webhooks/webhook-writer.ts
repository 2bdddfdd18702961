import { Injectable } from '@nestjs/common';
import { notFound } from '../common/errors/index.js';
import { newId } from '../common/ids.js';
import { Outbox, type EnvironmentId, type Transaction } from '../database/index.js';
import { ChangeLog, type Actor, type Change } from '../organizations/index.js';
import { checkHeaders, type CustomHeader } from './custom-headers.js';
import { selectEvents } from './event-selection.js';
import { PAYLOAD_VERSION } from './payload-version.js';
import { auditedWebhook, shownWebhook } from './shown-webhook.js';
import { WebhookSecret } from './webhook-secret.js';
import { WebhookSecrets } from './webhook-secrets.js';
import { WebhookSigningKey } from './webhook-signing-key.js';
import { WebhookTargets } from './webhook-targets.js';
import { tooManyWebhooks } from './webhook.errors.js';
import { PING, WEBHOOK_CREATED, WEBHOOK_DELETED, WEBHOOK_UPDATED } from './webhook.events.js';
import { WebhooksRepository, type Sealed, type WebhookRow } from './webhooks.repository.js';

export const MAX_WEBHOOKS = 20;

/** The validated terms of a webhook; omitted ones stay as they are. */
export interface WebhookTerms {
  url: string;
  events: string[];
  isEnabled: boolean;
  signatures?: readonly ('v1' | 'v1a')[];
  headers?: CustomHeader[];
  ordering?: 'none' | 'user';
}

/** Terms with their secrets sealed. */
export interface PreparedTerms {
  terms: WebhookTerms;
  sealed: Sealed;
}

/** A webhook not stored yet. */
export interface PreparedWebhook extends PreparedTerms {
  id: string;
  secret: WebhookSecret;
  sealedSecret: Buffer;
}

/** Changes to webhooks, each with its audit record and event, in the caller's transaction. */
@Injectable()
export class WebhookWriter {
  constructor(
    private readonly webhooks: WebhooksRepository,
    private readonly targets: WebhookTargets,
    private readonly secrets: WebhookSecrets,
    private readonly outbox: Outbox,
    private readonly changes: ChangeLog,
  ) {}

  /** @throws webhook_url_refused, unknown_event, webhook_header_refused */
  check({ headers, ...asked }: WebhookTerms): WebhookTerms {
    const { isEnabled, signatures, ordering } = asked;
    const chosen = { url: this.targets.parse(asked.url), events: selectEvents(asked.events) };
    const terms = { ...chosen, isEnabled, signatures, ordering };
    return { ...terms, ...(headers && { headers: checkHeaders(headers) }) };
  }

  /** The id and secret of a new webhook. Runs outside the transaction, since the vault may be remote. */
  async prepareNew(environmentId: EnvironmentId, terms: WebhookTerms): Promise<PreparedWebhook> {
    const [id, secret] = [newId(), WebhookSecret.generate()];
    const sealedSecret = await this.secrets.sealSecret(secret, { environmentId, webhookId: id });
    return { id, secret, sealedSecret, terms, sealed: await this.seal(environmentId, id, terms, sealedSecret) };
  }

  /** The same for a change. A key pair is generated if requested, and used if the webhook has none. */
  async prepare(environmentId: EnvironmentId, id: string, terms: WebhookTerms): Promise<PreparedTerms> {
    return { terms, sealed: await this.seal(environmentId, id, terms) };
  }

  /** @throws too_many_webhooks */
  async create(
    environmentId: EnvironmentId,
    { id, terms, sealedSecret, sealed }: PreparedWebhook,
    actor: Actor,
    tx: Transaction,
  ): Promise<WebhookRow> {
    const webhook = { id, ...terms, version: PAYLOAD_VERSION, sealedSecret, sealed };
    const row = await this.webhooks.insertWithin(MAX_WEBHOOKS, environmentId, webhook, tx);
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
    { terms, sealed }: PreparedTerms,
    actor: Actor,
    tx: Transaction,
  ): Promise<WebhookRow> {
    const before = await this.webhooks.lockOne(environmentId, id, tx);
    const signsWithKeyPair = terms.signatures ? terms.signatures.includes('v1a') : null;
    const change = { ...terms, signsWithKeyPair, sealed };
    const after = before && (await this.webhooks.change(environmentId, id, change, tx));
    if (!after) throw notFound();
    await this.record(environmentId, { event: WEBHOOK_UPDATED, id, before, after, actor }, tx);
    return after;
  }

  /** @throws notFound */
  async delete(environmentId: EnvironmentId, id: string, actor: Actor, tx: Transaction): Promise<void> {
    const before = await this.webhooks.lockOne(environmentId, id, tx);
    const row = before && (await this.webhooks.markDeleted(environmentId, id, tx));
    if (!row) throw notFound();
    const change = { event: WEBHOOK_DELETED, id, before, after: null, actor, data: shownWebhook(row) };
    await this.record(environmentId, change, tx);
  }

  /** Records a change; for sealed values, only that they changed. */
  async record(
    environmentId: EnvironmentId,
    {
      id,
      before,
      after,
      ...change
    }: Pick<Change, 'event' | 'actor' | 'data'> & { id: string; before: WebhookRow | null; after: WebhookRow | null },
    tx: Transaction,
  ): Promise<void> {
    const states = { before: before && auditedWebhook(before), after: after && auditedWebhook(after) };
    const resource = { type: 'webhook', id };
    await this.changes.record({ scope: { environmentId }, resource, ...change, ...states }, tx);
  }

  private async seal(
    environmentId: EnvironmentId,
    webhookId: string,
    { signatures, headers }: WebhookTerms,
    sealedSecret: Buffer | null = null,
  ): Promise<Sealed> {
    const holder = { environmentId, webhookId };
    const key = signatures?.includes('v1a') ? WebhookSigningKey.generate() : null;
    const sealedKey = key && (await this.secrets.sealSigningKey(key, holder));
    const sealedHeaders = headers?.length ? await this.secrets.sealHeaders(headers, holder) : null;
    const any = sealedSecret ?? sealedKey ?? sealedHeaders;
    return {
      signingKey: key && sealedKey && { sealed: sealedKey, publicKey: key.publicKey },
      headers: headers ? { sealed: sealedHeaders, names: headers.map(({ name }) => name) } : null,
      masterKeyId: any && this.secrets.keyIdOf(sealedSecret, sealedKey, sealedHeaders),
    };
  }
}
