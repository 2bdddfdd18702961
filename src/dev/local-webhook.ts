import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { WebhookSecret } from '../webhooks/index.js';

/** The webhook id in messages from `listen` and `trigger --forward`. No real webhook has it. */
export const LOCAL_WEBHOOK_ID = '00000000-0000-7000-8000-000000000000';

const SECRET_FILE = 'webhook.secret';
const OWNER_ONLY = 0o600;

/**
 * The signing secret of messages forwarded to this machine, generated on first use and shared by all programs with this
 * DATA_DIR, so that a receiver is configured once. If DATA_DIR is not writable, it is generated anew each time.
 */
export function localWebhookSecret(dataDir: string): WebhookSecret {
  const path = join(dataDir, SECRET_FILE);
  try {
    if (!existsSync(path)) {
      mkdirSync(dataDir, { recursive: true, mode: 0o700 });
      writeFileSync(path, `${WebhookSecret.generate().reveal()}\n`, { mode: OWNER_ONLY, flag: 'wx' });
    }
  } catch (error) {
    // Of two programs that start at once, one writes the file and the other reads it.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') return WebhookSecret.generate();
  }
  return WebhookSecret.parse(readFileSync(path, 'utf8').trim());
}
