import { defineEvent } from '../database/index.js';
import { DisabledWebhookPayload, PingPayload, WebhookPayload } from './webhook.dto.js';

export const PING = defineEvent(
  'ping',
  'A webhook was made, and this is to see that it answers. Sent to that webhook alone, whatever it asks for.',
  { payload: PingPayload },
);
export const WEBHOOK_CREATED = defineEvent('webhook.created', 'A webhook was made.', { payload: WebhookPayload });
export const WEBHOOK_UPDATED = defineEvent('webhook.updated', 'What a webhook asks for changed.', {
  payload: WebhookPayload,
});
export const WEBHOOK_SECRET_ROTATED = defineEvent(
  'webhook.secret.rotated',
  'A webhook got a new secret. Until `previousSecretUntil` the one before signs as well.',
  { payload: WebhookPayload },
);
export const WEBHOOK_SECRET_REVEALED = defineEvent(
  'webhook.secret.revealed',
  'Somebody was shown the secret of a webhook that exists.',
  { payload: WebhookPayload },
);
export const WEBHOOK_DELETED = defineEvent('webhook.deleted', 'A webhook was deleted.', { payload: WebhookPayload });
export const WEBHOOK_DISABLED = defineEvent(
  'webhook.disabled',
  'The service disabled a webhook, because it answered 410 or failed for five days.',
  { payload: DisabledWebhookPayload },
);
