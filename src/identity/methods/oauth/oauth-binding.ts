import { createHash, createHmac, randomBytes } from 'node:crypto';

/** 256 random bits in base64url (RFC 4648 section 5). */
const KEY = /^[\w-]{43}$/;
/**
 * At least 160 bits (RFC 6749 section 10.10), which 32 letters and digits have, but not 32 hexadecimal digits or a UUID;
 * at most what the API allows.
 */
const STATE = /^(?![\da-f-]{32,39}$)[\w-]{32,255}$/i;
const ATTRIBUTES = 'Path=/; Secure; HttpOnly; SameSite=None';

export const ATTEMPT_SECONDS = 600;

/** What a browser keeps for the duration of an attempt. */
export interface BrowserAttempt {
  /** Random and never stored: attempts are bound to its hash. */
  key: string;
  /** The newest attempt of this browser, for a call that does not name one. */
  state: string;
}

const cookieName = (environmentId: string): string => `__Host-gatehouse-oauth-${environmentId}`;

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();
const hmac = (key: string, text: string): string => createHmac('sha256', key).update(text).digest('base64url');

export const isState = (text: string): boolean => STATE.test(text);
export const isChallenge = (text: string): boolean => KEY.test(text);

export const newBrowserKey = (): string => randomBytes(32).toString('base64url');
export const stateHash = sha256;
export const browserHash = sha256;
export const codeHash = sha256;

/** S256 of RFC 7636 section 4.2, the only method supported. */
export const challengeOf = (verifier: string): string => sha256(verifier).toString('base64url');

/** The verifier of an attempt begun by a browser: derived from the cookie, and found in no row or URL. */
export const browserVerifier = (key: string, state: string): string => hmac(key, `pkce ${state}`);

/** The nonce of an attempt: as hard to guess as its state, and unique to it. */
export const nonceOf = (state: string): string => sha256(`nonce ${state}`).toString('base64url');

/**
 * The code given to the client. The provider's answer stays here: it may be longer than the API allows, and only this
 * service can use it.
 */
export const handedCode = (state: string, answer: string): string => hmac(state, `code ${answer}`);

/**
 * `Set-Cookie` for a browser that begins. One provider answers with a cross-site form post, so the cookie must be sent
 * with such requests; on its own it grants nothing.
 */
export const attemptCookie = (environmentId: string, { key, state }: BrowserAttempt): string =>
  `${cookieName(environmentId)}=${key}.${state}; ${ATTRIBUTES}; Max-Age=${ATTEMPT_SECONDS}`;

/** Null if there is no such cookie, or several and so no way to tell which is ours. */
export function readAttemptCookie(header: string | undefined, environmentId: string): BrowserAttempt | null {
  const prefix = `${cookieName(environmentId)}=`;
  const found = (header ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(prefix));
  const [key = '', state = ''] = found.length === 1 ? found[0]!.slice(prefix.length).split('.') : [];
  return KEY.test(key) && STATE.test(state) ? { key, state } : null;
}
