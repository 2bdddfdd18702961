import { verify, type KeyObject } from 'node:crypto';
import { isUuid } from '../../common/ids.js';

/** Allowed clock skew between clients and instances. */
export const LEEWAY_SECONDS = 60;
/** Request headers are limited to 16 KB in total, so no genuine token is longer. */
const MAX_TOKEN_LENGTH = 16_000;
const PARTS = /^([\w-]+)\.([\w-]+)\.([\w-]+)$/;
/** Any other header field, such as `jku`, `jwk`, `x5u` or `crit`, would select another key or rule. */
const HEADER_FIELDS = new Set(['alg', 'typ', 'kid']);

export type ReadClaims = Record<string, unknown>;

export interface TokenRules<T> {
  /** The only accepted type (RFC 8725 §3.11): a token for one purpose is not valid for another. */
  typ: string;
  /** Reads the claims; null if they are not valid. */
  read: (claims: ReadClaims) => T | null;
  /** Looks up the public key by id, among this environment's keys only. */
  findKey: (kid: string) => Promise<KeyObject | null>;
}

/** The checks of RFC 8725, cheapest first. Null for any token that fails one. */
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

/** Base64url has several spellings of the same bytes; only the canonical one is accepted. */
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
