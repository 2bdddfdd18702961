import type { Webhook } from './webhook.dto.js';
import type { WebhookRow } from './webhooks.repository.js';

/** A webhook as answers, events and records tell it: without its secret. */
export const shownWebhook = (row: WebhookRow): Webhook => ({ ...row, enabledAt: row.enabledAt ?? undefined });
