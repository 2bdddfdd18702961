import { verify, type KeyObject } from 'node:crypto';
import { isUuid } from '../../common/ids.js';

/** Clocks of clients and instances may differ by this much. */
export const LEEWAY_SECONDS = 60;
/** Headers of a request may have 16 KB together, so no genuine token is longer. */
const MAX_TOKEN_LENGTH = 16_000;
const PARTS = /^([\w-]+)\.([\w-]+)\.([\w-]+)$/;
/** Anything else in a header, such as `jku`, `jwk`, `x5u` or `crit`, would name another key or another rule. */
const HEADER_FIELDS = new Set(['alg', 'typ', 'kid']);

export type ReadClaims = Record<string, unknown>;

export interface TokenRules<T> {
  /** The one type that is taken (RFC 8725 §3.11): a token for one purpose is not accepted for another. */
  typ: string;
  /** What the claims come to; null when they do not hold. */
  read: (claims: ReadClaims) => T | null;
  /** The public key of that id among the keys of this environment alone. */
  findKey: (kid: string) => Promise<KeyObject | null>;
}

/** The checks of RFC 8725 in order, from the cheap to the costly. Null for any token that fails one. */
export async function readSignedToken<T>(token: string, { typ, read, findKey }: TokenRules<T>): Promise<T | null> {
  const [, head, body, tail] = (token.length <= MAX_TOKEN_LENGTH && PARTS.exec(token)) || [];
  if (!head || !body || !tail) return null;
  const kid = keyIdOf(readJson(head), typ);
  const signature = canonicalBytes(tail);
  if (!kid || !signature) return null;
  const claims = readJson(body);
  const result = claims && read(claims);
  if (!result) return null;
  const key = await findKey(kid);
  if (key?.asymmetricKeyType !== 'rsa' || key.type !== 'public') return null;
  return verify('sha256', Buffer.from(`${head}.${body}`), key, signature) ? result : null;
}

/** Whether a token was issued in the past and has not expired (RFC 7519 §4.1.4 to §4.1.6). */
export function holdsNow({ exp, iat, nbf }: ReadClaims, nowSeconds: number): boolean {
  if (!isSeconds(exp) || exp <= nowSeconds - LEEWAY_SECONDS) return false;
  if (!isSeconds(iat) || iat > nowSeconds + LEEWAY_SECONDS) return false;
  return nbf === undefined || (isSeconds(nbf) && nbf <= nowSeconds + LEEWAY_SECONDS);
}

export const isSeconds = (value: unknown): value is number => Number.isSafeInteger(value);

/** §3.1 and §3.11: one algorithm, one type, and no field that could lead elsewhere. */
function keyIdOf(header: ReadClaims | null, typ: string): string | null {
  if (!header || Object.keys(header).some((name) => !HEADER_FIELDS.has(name))) return null;
  return header['alg'] === 'RS256' && header['typ'] === typ && isUuid(header['kid']) ? header['kid'] : null;
}

/** Base64url has several texts for the same bytes; only the one an encoder writes is taken. */
function canonicalBytes(text: string): Buffer | null {
  const bytes = Buffer.from(text, 'base64url');
  return bytes.toString('base64url') === text ? bytes : null;
}

function readJson(text: string): ReadClaims | null {
  const bytes = canonicalBytes(text);
  if (!bytes) return null;
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'));
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as ReadClaims) : null;
  } catch {
    return null;
  }
}
