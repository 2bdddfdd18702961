import type { Webhook } from './webhook.dto.js';
import type { WebhookRow } from './webhooks.repository.js';

/** A webhook as shown in responses, events and audit records: nothing sealed. */
export const shownWebhook = (row: WebhookRow): Webhook => ({
  environmentId: row.environmentId,
  webhookId: row.webhookId,
  url: row.url,
  events: row.events,
  isEnabled: row.isEnabled,
  enabledAt: row.enabledAt ?? undefined,
  signatures: row.publicKey === null ? ['v1'] : ['v1', 'v1a'],
  publicKey: row.publicKey ?? undefined,
  previousSecretUntil: row.previousSecretUntil ?? undefined,
  ordering: row.ordering,
  headerNames: row.headerNames,
  version: row.version,
  createdAt: row.createdAt,
  updatedAt: row.updatedAt,
});

/** Additionally for the audit trail: shows that something sealed changed, but never its value. */
export const auditedWebhook = (row: WebhookRow): object => ({
  ...shownWebhook(row),
  secret: row.sealedSecret,
  headers: row.sealedHeaders,
});
