export { LiveEvents, type EventFollower } from './local/live-events.js';
export type { LiveEvent } from './local/live-events.repository.js';
export { localBody } from './local/local-body.js';
export { WebhookSamples, type SampleResult } from './local/webhook-samples.js';
export {
  PING,
  WEBHOOK_CREATED,
  WEBHOOK_DELETED,
  WEBHOOK_DISABLED,
  WEBHOOK_SECRET_REVEALED,
  WEBHOOK_SECRET_ROTATED,
  WEBHOOK_UPDATED,
} from './webhook.events.js';
export { ReplaysService } from './replays/replays.service.js';
export { REPLAY_SELECTIONS, type WebhookReplay } from './replays/webhook-replay.dto.js';
export { WebhooksModule } from './webhooks.module.js';
export { WebhookSecret } from './webhook-secret.js';
export { MIXED_KEYS } from './webhook-secrets.js';
export { signWebhook, verifyWebhook } from './webhook-signature.js';
export { WebhooksService } from './webhooks.service.js';
