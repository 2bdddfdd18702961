import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { WebhookSecret } from '../webhooks/index.js';

/** What `listen` and `trigger --forward` name as the webhook that they stand for. No webhook of a team has it. */
export const LOCAL_WEBHOOK_ID = '00000000-0000-7000-8000-000000000000';

const SECRET_FILE = 'webhook.secret';
const OWNER_ONLY = 0o600;

/**
 * The secret of messages that programs of this folder forward to this machine, made on first use: a receiver is given it
 * once, whichever program sends. Where DATA_DIR cannot be written it is made anew each time.
 */
export function localWebhookSecret(dataDir: string): WebhookSecret {
  const path = join(dataDir, SECRET_FILE);
  try {
    if (!existsSync(path)) {
      mkdirSync(dataDir, { recursive: true, mode: 0o700 });
      writeFileSync(path, `${WebhookSecret.generate().reveal()}\n`, { mode: OWNER_ONLY, flag: 'wx' });
    }
  } catch (error) {
    // Of two programs that start at once, one writes and the other reads what it wrote.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') return WebhookSecret.generate();
  }
  return WebhookSecret.parse(readFileSync(path, 'utf8').trim());
}
