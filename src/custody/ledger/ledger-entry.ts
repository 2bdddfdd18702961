import { createHash } from 'node:crypto';
import { canonicalJson } from '../../common/canonical-json.js';
import { ApiError, internalError } from '../../common/errors/index.js';

/** The operations on keys. */
export const KEY_OPERATIONS = [
  'create',
  'derive',
  'sign',
  'export',
  'import',
  'backup',
  'recover',
  'refresh',
  'reshare',
  'delegate',
  'delete',
  'rewrap',
] as const;

export type KeyOperation = (typeof KEY_OPERATIONS)[number];

/** Who asked for it. */
export interface KeyActor {
  readonly type: 'user' | 'member' | 'token' | 'system';
  /** Null for the service itself. */
  readonly id: string | null;
  readonly sessionId?: string;
  /** The personal access token that a member used. */
  readonly tokenId?: string;
}

/** One use of keys, as reported by the code that performs it. */
export interface KeyUse {
  readonly operation: KeyOperation;
  readonly actor: KeyActor;
  /** Whose keys. */
  readonly userId: string;
  readonly keysId: string;
  /** What they were used on or for: accounts, the wallet, the kind of content signed. No secrets. */
  readonly subject: Readonly<Record<string, unknown>>;
  readonly reason: string;
  /** Digest of what was signed, sealed or shown; null if nothing was. */
  readonly digest: Buffer | null;
  /** `allowed`, or the code of the refusal. */
  readonly verdict: string;
}

export interface LedgerEntry extends KeyUse {
  readonly environmentId: string;
  readonly id: string;
}

/** A row with its place in the environment's chain. */
export interface LedgerRow extends LedgerEntry {
  readonly sequence: number;
  /** UTC with six decimals, such as `2026-01-31T12:00:00.123456Z`: the text that is hashed. */
  readonly occurredAt: string;
  readonly previousHash: Buffer;
  readonly hash: Buffer;
}

/**
 * The verdict recorded for a failed use: the refusal's code, or an internal error if the key holder failed and so may
 * have used the keys. Null if it failed before or after that, which says nothing about keys.
 */
export function verdictOn(error: unknown, isHolderAsked: boolean): string | null {
  if (error instanceof ApiError) return error.code;
  return isHolderAsked ? internalError().code : null;
}

const sha256 = (bytes: Uint8Array | string): Buffer => createHash('sha256').update(bytes).digest();

/** SHA-256 of the canonical JSON of an entry, with its digest in hexadecimal. */
export function entryHash(entry: LedgerEntry): Buffer {
  const { environmentId, id, operation, actor, userId, keysId, subject, reason, digest, verdict } = entry;
  const hex = digest?.toString('hex') ?? null;
  return sha256(
    canonicalJson({ environmentId, id, operation, actor, userId, keysId, subject, reason, digest: hex, verdict }),
  );
}

/**
 * SHA-256 of `previous hash | sequence, 64 bits big-endian | time as text | hash of the entry`. The database computes
 * the same when it assigns a new row its place.
 */
export function rowHash(row: Omit<LedgerRow, 'hash'>): Buffer {
  const sequence = Buffer.alloc(8);
  sequence.writeBigInt64BE(BigInt(row.sequence));
  return sha256(Buffer.concat([row.previousHash, sequence, Buffer.from(row.occurredAt), entryHash(row)]));
}
