import { constants, verify, type KeyObject } from 'node:crypto';

/** A parsed but unverified token of another service. */
export interface SignedToken {
  algorithm: SignatureAlgorithm;
  /** Null if the header names no key. */
  keyId: string | null;
  claims: Record<string, unknown>;
  signed: Buffer;
  signature: Buffer;
}

interface SignatureAlgorithm {
  name: string;
  /** Type of the key (RFC 7517 §4.1). */
  kty: 'RSA' | 'EC' | 'OKP';
  hash: string | null;
  curve?: string;
  isPss?: boolean;
}

const rsa = (bits: number): SignatureAlgorithm[] => [
  { name: `RS${bits}`, kty: 'RSA', hash: `sha${bits}` },
  { name: `PS${bits}`, kty: 'RSA', hash: `sha${bits}`, isPss: true },
];

/** Accepted signature algorithms (RFC 7518 §3.1, RFC 8037, RFC 9864 §2.2): only asymmetric ones, so neither `none` nor an HMAC. */
const ALGORITHMS = new Map(
  [
    ...[256, 384, 512].flatMap(rsa),
    { name: 'ES256', kty: 'EC', hash: 'sha256', curve: 'prime256v1' } as const,
    { name: 'ES384', kty: 'EC', hash: 'sha384', curve: 'secp384r1' } as const,
    { name: 'ES512', kty: 'EC', hash: 'sha512', curve: 'secp521r1' } as const,
    { name: 'EdDSA', kty: 'OKP', hash: null, curve: 'ed25519' } as const,
    { name: 'Ed25519', kty: 'OKP', hash: null, curve: 'ed25519' } as const,
  ].map((algorithm) => [algorithm.name, algorithm]),
);

export const ALLOWED_ALGORITHMS: readonly string[] = [...ALGORITHMS.keys()];

const MAX_LENGTH = 16_384;
const MIN_RSA_BITS = 2_048;
const PARTS = /^([\w-]+)\.([\w-]+)\.([\w-]+)$/;

/** The token, or a sentence that says why it is not one. */
export function parseSignedToken(text: string): SignedToken | string {
  if (text.length > MAX_LENGTH) return `The token is longer than ${MAX_LENGTH} characters.`;
  const [, head = '', body = '', tail = ''] = PARTS.exec(text) ?? [];
  const [header, claims, signature] = [readJson(head), readJson(body), canonicalBytes(tail)];
  if (!header || !claims || !signature || head === '') return 'The token is not a signed JWT in compact form.';
  const { alg, kid, typ } = header;
  // RFC 7515 §4.1.11: a token with critical header parameters that are not supported is invalid.
  if ('crit' in header) return 'The header demands an extension (crit) that is not supported.';
  if (typ !== undefined && !(typeof typ === 'string' && /^(application\/)?(at\+)?jwt$/i.test(typ))) {
    return 'The header names a type other than JWT.';
  }
  const algorithm = typeof alg === 'string' ? ALGORITHMS.get(alg) : undefined;
  if (!algorithm) return `The algorithm is not allowed; allowed are ${ALLOWED_ALGORITHMS.join(', ')}.`;
  if (kid !== undefined && typeof kid !== 'string') return 'The key id (kid) is not a text.';
  return { algorithm, keyId: kid ?? null, claims, signed: Buffer.from(`${head}.${body}`), signature };
}

/** Whether a key that is meant for signatures of this algorithm made the signature. */
export function isSignedBy({ algorithm, signed, signature }: SignedToken, key: KeyObject): boolean {
  const { kty, hash, curve, isPss } = algorithm;
  const { asymmetricKeyType: type, asymmetricKeyDetails: details } = key;
  if (kty === 'RSA' && (type !== 'rsa' || (details?.modulusLength ?? 0) < MIN_RSA_BITS)) return false;
  if (kty === 'EC' && (type !== 'ec' || details?.namedCurve !== curve)) return false;
  if (kty === 'OKP' && type !== curve) return false;
  const padding = { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST };
  return verify(hash, signed, { key, dsaEncoding: 'ieee-p1363', ...(isPss && padding) }, signature);
}

/** The same bytes have several base64url forms; only the canonical one is accepted. */
function canonicalBytes(text: string): Buffer | null {
  const bytes = Buffer.from(text, 'base64url');
  return bytes.length > 0 && bytes.toString('base64url') === text ? bytes : null;
}

function readJson(text: string): Record<string, unknown> | null {
  try {
    const bytes = canonicalBytes(text);
    const value: unknown = bytes && JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}
