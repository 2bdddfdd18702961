import { createHash, createHmac } from 'node:crypto';
import { localWebhookSecret } from '../local-webhook.js';
import { IDENTITY_PATH } from './development-identity.js';

/** The client id of the imitated network's bot, by which the service finds that network. */
export const DEVELOPMENT_BOT = 'development_bot';
/** Paths of the imitated messaging network: its page, and the replacement for its login widget script. */
export const MESSAGING_PATH = `${IDENTITY_PATH}/messaging`;
export const WIDGET_PATH = `${MESSAGING_PATH}/js/telegram-widget.js`;

const MAX_NAME = 64;

/**
 * The bot token of this installation, known to anyone who may read its DATA_DIR. A sandbox belongs to one such folder, so
 * instances that share only a database each have their own sandbox, bot and token, and reject each other's logins.
 */
export const botToken = (dataDir: string): string =>
  createHmac('sha256', localWebhookSecret(dataDir).reveal()).update('imitated bot').digest('base64url');

/**
 * The login data for a typed name, signed as the network does
 * (https://core.telegram.org/widgets/login#checking-authorization). It proves nothing, and is accepted only by providers
 * with the imitated bot's token. The same name is the same account.
 *
 * @param token of the imitated bot
 * @returns null for an invalid name
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
