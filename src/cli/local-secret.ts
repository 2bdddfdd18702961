import type { INestApplicationContext } from '@nestjs/common';
import { Config } from '../config/index.js';
import { localWebhookSecret } from '../dev/index.js';
import type { WebhookSecret } from '../webhooks/index.js';

/** `listen` and `trigger` share one secret, so that a receiver is configured once. */
export const localSecret = (app: INestApplicationContext): WebhookSecret =>
  localWebhookSecret(app.get(Config).get('DATA_DIR'));
