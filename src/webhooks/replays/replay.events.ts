import { defineEvent } from '../../database/index.js';
import { WebhookReplay } from './webhook-replay.dto.js';

export const REPLAY_STARTED = defineEvent(
  'webhook.replay.started',
  'Messages of a webhook are being resent, or missing ones sent.',
  { payload: WebhookReplay },
);
export const REPLAY_ENDED = defineEvent(
  'webhook.replay.ended',
  'A replay has handed its last message to delivery, was canceled, or failed because its webhook was disabled.',
  { payload: WebhookReplay },
);
