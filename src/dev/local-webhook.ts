import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder, writeNewFile } from '../common/own-files.js';
import { WebhookSecret } from '../webhooks/index.js';

/** The webhook id in messages from `listen` and `trigger --forward`. No real webhook has it. */
export const LOCAL_WEBHOOK_ID = '00000000-0000-7000-8000-000000000000';

const SECRET_FILE = 'webhook.secret';

/**
 * The signing secret of messages forwarded to this machine, generated on first use and shared by all programs with this
 * DATA_DIR, so that a receiver is configured once. If DATA_DIR is not writable, it is generated anew each time.
 */
export function localWebhookSecret(dataDir: string): WebhookSecret {
  const path = join(dataDir, SECRET_FILE);
  try {
    if (!existsSync(path)) {
      makeFolder(dataDir);
      writeNewFile(path, `${WebhookSecret.generate().reveal()}\n`);
    }
  } catch (error) {
    // Of two programs that start at once, one writes the file and the other reads it.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') return WebhookSecret.generate();
  }
  return WebhookSecret.parse(readFileSync(path, 'utf8').trim());
}
