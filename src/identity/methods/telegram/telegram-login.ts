import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

/** The messaging network's data about a person, as stored. */
export interface TelegramAccount {
  id: string;
  firstName: string | null;
  lastName: string | null;
  username: string | null;
  photoUrl: string | null;
}

/** The fields signed by the network, not yet verified. */
export interface SignedLogin {
  fields: ReadonlyMap<string, string>;
  hash: string;
  /** Mini apps use a different signing key than the widget. */
  isMiniApp: boolean;
}

/** A login with a valid signature under the bot's token. */
export interface VerifiedLogin {
  account: TelegramAccount;
  signedAt: Date;
  /** Unique id of this login; the signature itself is not stored. */
  loginHash: Buffer;
}

const MAX_TEXT = 4_096;
const MAX_NAME = 255;
const HASH = /^[0-9a-f]{64}$/;
/** At most 52 bits, as the network guarantees for its ids. */
const ID = /^[1-9]\d{0,15}$/;
const SECONDS = /^[1-9]\d{0,10}$/;
const MINI_APP_KEY = 'WebAppData';
export const WIDGET_FIELDS = ['id', 'first_name', 'last_name', 'username', 'photo_url', 'auth_date'] as const;

const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();

/** Parses what a client presents: the widget's query, or `initData` of a mini app. Null for anything else. */
export function parseSignedLogin(text: string): SignedLogin | null {
  if (text.length > MAX_TEXT) return null;
  const parameters = [...new URLSearchParams(text)];
  const fields = new Map(parameters);
  const hash = fields.get('hash');
  if (fields.size !== parameters.length || hash === undefined || !HASH.test(hash)) return null;
  // The network signs one field per line: lines within a field could be shown as fields of their own, or the reverse.
  if (parameters.some((pair) => pair.some((part) => part.includes('\n')))) return null;
  fields.delete('hash');
  return { fields, hash, isMiniApp: fields.has('user') };
}

/**
 * https://core.telegram.org/widgets/login#checking-authorization, and for mini apps
 * https://core.telegram.org/bots/webapps#validating-data-received-via-the-mini-app: all fields except the hash, sorted,
 * one per line. Null if the signature does not match the bot's token, or the fields name nobody.
 */
export function verifyLogin({ fields, hash, isMiniApp }: SignedLogin, token: string): VerifiedLogin | null {
  if (token === '' || !HASH.test(hash)) return null;
  const key = isMiniApp ? hmac(MINI_APP_KEY, token) : createHash('sha256').update(token).digest();
  const lines = [...fields].map(([name, value]) => `${name}=${value}`).sort();
  const signature = hmac(key, lines.join('\n'));
  if (!timingSafeEqual(signature, Buffer.from(hash, 'hex'))) return null;
  const account = isMiniApp ? accountOfJson(fields.get('user')!) : accountOf((name) => fields.get(name));
  const seconds = fields.get('auth_date') ?? '';
  if (!account || !SECONDS.test(seconds)) return null;
  const loginHash = createHash('sha256').update(signature).digest();
  return { account, signedAt: new Date(Number(seconds) * 1_000), loginHash };
}

function accountOfJson(text: string): TelegramAccount | null {
  try {
    const user: unknown = JSON.parse(text);
    return typeof user === 'object' && user !== null
      ? accountOf((name) => (user as Record<string, unknown>)[name])
      : null;
  } catch {
    return null;
  }
}

function accountOf(read: (name: string) => unknown): TelegramAccount | null {
  const id = String(read('id'));
  if (!ID.test(id) || !Number.isSafeInteger(Number(id))) return null;
  const photo = read('photo_url');
  return {
    id,
    firstName: nameOf(read('first_name')),
    lastName: nameOf(read('last_name')),
    username: nameOf(read('username')),
    photoUrl: typeof photo === 'string' && photo.startsWith('https://') ? photo : null,
  };
}

const nameOf = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' && value.length <= MAX_NAME && !/\p{Cc}/u.test(value) ? value : null;
