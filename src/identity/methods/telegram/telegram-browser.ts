import { createHash, randomBytes } from 'node:crypto';

const KEY = /^[\w-]{43}$/;
const ATTRIBUTES = 'Path=/; Secure; HttpOnly; SameSite=None; Max-Age=600';

const nameOf = (environmentId: string): string => `__Host-gatehouse-telegram-${environmentId}`;

export const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Identifies a browser from the button page to the sign-in; only its hash is stored. */
export const newBrowserKey = (): string => randomBytes(32).toString('base64url');

/** `Set-Cookie`: the page that signs in is on another site, so it is sent cross-site; alone it grants nothing. */
export const browserCookie = (environmentId: string, key: string): string =>
  `${nameOf(environmentId)}=${key}; ${ATTRIBUTES}`;

/** Null if there is no such cookie, or several and so no way to tell which is ours. */
export function readBrowserKey(header: string | undefined, environmentId: string): string | null {
  const prefix = `${nameOf(environmentId)}=`;
  const found = (header ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(prefix));
  const key = found.length === 1 ? found[0]!.slice(prefix.length) : '';
  return KEY.test(key) ? key : null;
}
