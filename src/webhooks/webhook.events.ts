import { SecurityEvent } from '../common/security/index.js';
import { defineEvent } from '../database/index.js';
import { DisabledWebhookPayload, PingPayload, WebhookPayload } from './webhook.dto.js';

export const PING = defineEvent(
  'ping',
  'An enabled webhook was created; this event tests that it answers. Sent only to that webhook, whatever its subscriptions.',
  { payload: PingPayload },
);
export const WEBHOOK_CREATED = defineEvent('webhook.created', 'A webhook was created.', { payload: WebhookPayload });
export const WEBHOOK_UPDATED = defineEvent(
  'webhook.updated',
  'The address, events or other settings of a webhook were changed.',
  {
    payload: WebhookPayload,
  },
);
export const WEBHOOK_SECRET_ROTATED = defineEvent(
  'webhook.secret.rotated',
  'The secret of a webhook was rotated. Until `previousSecretUntil`, requests are also signed with the previous one.',
  { payload: WebhookPayload, security: SecurityEvent.SecretChanged },
);
export const WEBHOOK_SECRET_REVEALED = defineEvent(
  'webhook.secret.revealed',
  'Somebody was shown the secret of an existing webhook.',
  { payload: WebhookPayload, security: SecurityEvent.SecretRevealed },
);
export const WEBHOOK_DELETED = defineEvent('webhook.deleted', 'A webhook was deleted.', { payload: WebhookPayload });
export const WEBHOOK_DISABLED = defineEvent(
  'webhook.disabled',
  'The service disabled a webhook, because it answered 410 or failed for five days.',
  { payload: DisabledWebhookPayload },
);
