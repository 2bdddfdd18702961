/**
 * The cookie of cookie mode. The prefix binds it to this host, to HTTPS and to the path `/` (RFC 6265bis §4.1.3.2), and
 * the environment in its name keeps sessions of several environments apart.
 */
export const cookieName = (environmentId: string): string => `__Host-gatehouse-${environmentId}`;

const ATTRIBUTES = 'Path=/; Secure; HttpOnly; SameSite=Lax';
/** Browsers silently drop longer cookies (RFC 6265 §6.1). */
const MAX_BYTES = 4_096;

/** Maximum length of a token in the cookie, whatever its expiry. */
export const bytesForToken = (environmentId: string): number =>
  MAX_BYTES - Buffer.byteLength(cookieOf(environmentId, '', new Date(0)));

/** `Set-Cookie` value with a token until it expires. */
export function sessionCookie(environmentId: string, token: string, expiresAt: Date): string {
  const cookie = cookieOf(environmentId, token, expiresAt);
  if (Buffer.byteLength(cookie) > MAX_BYTES) throw new Error('The session cookie exceeds 4096 bytes.');
  return cookie;
}

const cookieOf = (environmentId: string, token: string, expiresAt: Date): string =>
  `${cookieName(environmentId)}=${token}; ${ATTRIBUTES}; Expires=${expiresAt.toUTCString()}`;

/** `Set-Cookie` value that removes the cookie. */
export const clearedCookie = (environmentId: string): string =>
  `${cookieName(environmentId)}=; ${ATTRIBUTES}; Max-Age=0`;

/** The token in a `Cookie` header; null if there is none, or several and so no way to tell which is ours. */
export function readSessionCookie(header: string | undefined, environmentId: string): string | null {
  if (!header) return null;
  const prefix = `${cookieName(environmentId)}=`;
  const found = header
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(prefix));
  return found.length === 1 ? found[0]!.slice(prefix.length) || null : null;
}
