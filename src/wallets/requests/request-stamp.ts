import { createHash, createPublicKey, verify, type KeyObject } from 'node:crypto';
import { assertPlainJson } from '../../common/http/body.js';
import type { KeyvaultSignedRequest } from './key-request.dto.js';

const HEADER = 'x-stamp';
const SCHEME = 'SIGNATURE_SCHEME_TK_API_P256';
const COMPRESSED_KEY = /^0[23][0-9a-f]{64}$/;
const HEX = /^(?:[0-9a-f]{2})+$/i;
/** SubjectPublicKeyInfo of a compressed P-256 point, up to the point (RFC 5480, section 2). */
const SPKI_PREFIX = Buffer.from('3039301306072a8648ce3d020106082a8648ce3d030107032200', 'hex');

/** A compressed P-256 public key in lower-case hexadecimal; null for anything else. */
export function sessionKeyOf(text: string): string | null {
  const hex = text.toLowerCase();
  return COMPRESSED_KEY.test(hex) && keyObjectOf(hex) ? hex : null;
}

/** The key that stamped a request, and the digest that makes it single-use. Null unless a P-256 key signed the body. */
export function readStamp({ body, stamp }: KeyvaultSignedRequest): { publicKey: string; digest: Buffer } | null {
  if (stamp.stampHeaderName.toLowerCase() !== HEADER) return null;
  const { publicKey, scheme, signature } = jsonOf(Buffer.from(stamp.stampHeaderValue, 'base64url').toString());
  if (scheme !== SCHEME || typeof publicKey !== 'string' || typeof signature !== 'string') return null;
  const key = sessionKeyOf(publicKey);
  if (!key || !HEX.test(signature)) return null;
  const isSigned = verify('sha256', Buffer.from(body), keyObjectOf(key)!, Buffer.from(signature, 'hex'));
  return isSigned ? { publicKey: key, digest: createHash('sha256').update(body).digest() } : null;
}

function keyObjectOf(hex: string): KeyObject | null {
  try {
    return createPublicKey({ key: Buffer.concat([SPKI_PREFIX, Buffer.from(hex, 'hex')]), format: 'der', type: 'spki' });
  } catch {
    return null;
  }
}

/** The members of a JSON object that would pass as a body; empty for anything else. */
export function jsonOf(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    assertPlainJson(value);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
  } catch {
    return {};
  }
}
