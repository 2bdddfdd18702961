/**
 * The cookie of cookie mode. The prefix binds it to this host, to https and to the whole site (RFC 6265bis §4.1.3.2),
 * and the environment in its name keeps the sessions of several environments apart.
 */
export const cookieName = (environmentId: string): string => `__Host-gatehouse-${environmentId}`;

const ATTRIBUTES = 'Path=/; Secure; HttpOnly; SameSite=Lax';
/** Browsers drop a longer cookie without a word (RFC 6265 §6.1). */
const MAX_BYTES = 4_096;

/** How long a token may be that goes into the cookie, whenever it ends. */
export const bytesForToken = (environmentId: string): number =>
  MAX_BYTES - Buffer.byteLength(cookieOf(environmentId, '', new Date(0)));

/** `Set-Cookie` that carries a token until it expires. */
export function sessionCookie(environmentId: string, token: string, expiresAt: Date): string {
  const cookie = cookieOf(environmentId, token, expiresAt);
  if (Buffer.byteLength(cookie) > MAX_BYTES) throw new Error('The session cookie exceeds 4096 bytes.');
  return cookie;
}

const cookieOf = (environmentId: string, token: string, expiresAt: Date): string =>
  `${cookieName(environmentId)}=${token}; ${ATTRIBUTES}; Expires=${expiresAt.toUTCString()}`;

/** `Set-Cookie` that removes it. */
export const clearedCookie = (environmentId: string): string =>
  `${cookieName(environmentId)}=; ${ATTRIBUTES}; Max-Age=0`;

/** The token in a `Cookie` header; null when there is none, or more than one and so no way to know which is ours. */
export function readSessionCookie(header: string | undefined, environmentId: string): string | null {
  if (!header) return null;
  const prefix = `${cookieName(environmentId)}=`;
  const found = header
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(prefix));
  return found.length === 1 ? found[0]!.slice(prefix.length) || null : null;
}
