import { createHash, createHmac } from 'node:crypto';
import { localWebhookSecret } from '../local-webhook.js';
import { IDENTITY_PATH } from './development-identity.js';

/** Names the bot of the imitated network, by which the service knows where that network is. */
export const DEVELOPMENT_BOT = 'development_bot';
/** The messaging network as it is imitated here: its page, and the script in the place of that of its login widget. */
export const MESSAGING_PATH = `${IDENTITY_PATH}/messaging`;
export const WIDGET_PATH = `${MESSAGING_PATH}/js/telegram-widget.js`;

const MAX_NAME = 64;

/**
 * The token of that bot: of the installation, and known to whoever may read its DATA_DIR. A sandbox belongs to one such
 * folder, so instances that share a database alone have a sandbox, a bot and a token each, and believe no other's logins.
 */
export const botToken = (dataDir: string): string =>
  createHmac('sha256', localWebhookSecret(dataDir).reveal()).update('imitated bot').digest('base64url');

/**
 * What the network would send a browser back with, for whoever typed the name: signed as it signs
 * (https://core.telegram.org/widgets/login#checking-authorization). It proves nothing, and counts where a provider has
 * the token of the imitated bot alone. The same name is the same account.
 *
 * @param token of the imitated bot
 * @returns null for a name that is none
 */
export function imitatedLogin(name: string, seconds: number, token: string): Record<string, string> | null {
  const given = name.trim();
  if (given === '' || given.length > MAX_NAME || /\p{Cc}/u.test(given)) return null;
  const id = createHash('sha256').update(given.toLowerCase()).digest().readUIntBE(0, 6) + 1;
  const fields: Record<string, string> = { auth_date: String(seconds), first_name: given, id: String(id) };
  const lines = Object.entries(fields).map(([field, value]) => `${field}=${value}`);
  const key = createHash('sha256').update(token).digest();
  return { ...fields, hash: createHmac('sha256', key).update(lines.join('\n')).digest('hex') };
}
