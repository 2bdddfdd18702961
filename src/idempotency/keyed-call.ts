import { createHash } from 'node:crypto';
import type { EnvironmentId } from '../database/index.js';
import { canonicalJson } from '../common/canonical-json.js';
import { malformedIdempotencyKey } from './idempotency.errors.js';

/** A structured field string (RFC 8941 §3.3.3), or the bare text most clients send; both forms are the same key. */
const KEY = /^(?:"([\x21\x23-\x5b\x5d-\x7e]{1,255})"|([\x21\x23-\x5b\x5d-\x7e]{1,255}))$/;

/** @throws malformedIdempotencyKey */
export function parseKey(header: string | string[]): string {
  const found = typeof header === 'string' ? KEY.exec(header.trim()) : null;
  const key = found?.[1] ?? found?.[2];
  if (key === undefined) throw malformedIdempotencyKey();
  return key;
}

/** The caller and the operation: elsewhere, the same key is a different one. */
export interface KeyHolder {
  /** The API token, or the member whatever the credential. */
  caller: string;
  operation: string;
  /** The organization of operations on an organization rather than an environment. */
  organizationId: string | null;
}

/** A keyed call, as stored. */
export interface KeyedCall {
  /** The environment of the call, else that of the caller. */
  environmentId: EnvironmentId;
  /** Derived from holder and key, so that the key itself is not stored. */
  id: string;
  /** SHA-256 over everything that identifies the request. */
  requestHash: Buffer;
}

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();

export function keyedCall(
  environmentId: EnvironmentId,
  { caller, operation, organizationId }: KeyHolder,
  key: string,
  request: { params: unknown; query: unknown; body: unknown },
): KeyedCall {
  const { params, query, body } = request;
  return {
    environmentId,
    id: uuidOf(sha256(JSON.stringify([caller, operation, organizationId, key]))),
    requestHash: sha256(canonicalJson({ params, query, body })),
  };
}

/** A UUID from 122 bits of a hash (RFC 9562 §5.8). */
function uuidOf(hash: Buffer): string {
  const bytes = Buffer.from(hash.subarray(0, 16));
  bytes[6] = (bytes[6]! & 0x0f) | 0x80;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
