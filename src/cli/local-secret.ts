import type { INestApplicationContext } from '@nestjs/common';
import { Config } from '../config/index.js';
import { localWebhookSecret } from '../dev/index.js';
import type { WebhookSecret } from '../webhooks/index.js';

/** One secret for both programs that forward to this machine, so that a receiver is given it once. */
export const localSecret = (app: INestApplicationContext): WebhookSecret =>
  localWebhookSecret(app.get(Config).get('DATA_DIR'));
