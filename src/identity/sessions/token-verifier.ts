import { verify, type KeyObject } from 'node:crypto';
import { isUuid } from '../../common/ids.js';

/** Clocks of clients and instances may differ by this much. */
export const LEEWAY_SECONDS = 60;
/** Headers of a request may have 16 KB together, so no genuine token is longer. */
const MAX_TOKEN_LENGTH = 16_000;
const PARTS = /^([\w-]+)\.([\w-]+)\.([\w-]+)$/;
/** Anything else in a header, such as `jku`, `jwk`, `x5u` or `crit`, would name another key or another rule. */
const HEADER_FIELDS = new Set(['alg', 'typ', 'kid']);

/** What the caller knows, as opposed to what the token says. */
export interface Expectations {
  environmentId: string;
  issuer: string;
  nowSeconds: number;
  /** The public key of that id among the keys of this environment alone. */
  findKey(kid: string): Promise<KeyObject | null>;
}

/** The claims that decide, of a token that holds. */
export interface VerifiedToken {
  userId: string;
  sessionId: string;
  tokenId: string;
  scopes: string[];
}

/** The checks of RFC 8725 in order, from the cheap to the costly. Null for any token that fails one. */
export async function verifyToken(token: string, expected: Expectations): Promise<VerifiedToken | null> {
  const [, head, body, tail] = (token.length <= MAX_TOKEN_LENGTH && PARTS.exec(token)) || [];
  if (!head || !body || !tail) return null;
  const kid = keyIdOf(readJson(head));
  const signature = canonicalBytes(tail);
  if (!kid || !signature) return null;
  const claims = readJson(body);
  const verified = claims && claimsOf(claims, expected);
  if (!verified) return null;
  const key = await expected.findKey(kid);
  if (key?.asymmetricKeyType !== 'rsa' || key.type !== 'public') return null;
  return verify('sha256', Buffer.from(`${head}.${body}`), key, signature) ? verified : null;
}

/** §3.1 and §3.11: one algorithm, one type, and no field that could lead elsewhere. */
function keyIdOf(header: Record<string, unknown> | null): string | null {
  if (!header || Object.keys(header).some((name) => !HEADER_FIELDS.has(name))) return null;
  return header['alg'] === 'RS256' && header['typ'] === 'JWT' && isUuid(header['kid']) ? header['kid'] : null;
}

/** §3.8, §3.9 and §3.12: issuer, audience, times, and that the token is a session's and not one for another purpose. */
function claimsOf(claims: Record<string, unknown>, expected: Expectations): VerifiedToken | null {
  const { iss, aud, sub, sid, jti, iat, nbf, exp, scope, environment_id } = claims;
  const now = expected.nowSeconds;
  if (iss !== expected.issuer || environment_id !== expected.environmentId) return null;
  if (typeof aud !== 'string' || aud === '' || 'purpose' in claims) return null;
  if (!isUuid(sub) || !isUuid(sid) || !isUuid(jti) || typeof scope !== 'string') return null;
  if (!isSeconds(exp) || exp <= now - LEEWAY_SECONDS) return null;
  if (!isSeconds(iat) || iat > now + LEEWAY_SECONDS) return null;
  if (nbf !== undefined && (!isSeconds(nbf) || nbf > now + LEEWAY_SECONDS)) return null;
  return { userId: sub, sessionId: sid, tokenId: jti, scopes: scope.split(' ').filter(Boolean) };
}

const isSeconds = (value: unknown): value is number => Number.isSafeInteger(value);

/** Base64url has several texts for the same bytes; only the one an encoder writes is taken. */
function canonicalBytes(text: string): Buffer | null {
  const bytes = Buffer.from(text, 'base64url');
  return bytes.toString('base64url') === text ? bytes : null;
}

function readJson(text: string): Record<string, unknown> | null {
  const bytes = canonicalBytes(text);
  if (!bytes) return null;
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'));
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}
