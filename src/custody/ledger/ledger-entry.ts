import { createHash } from 'node:crypto';
import { canonicalJson } from '../../common/canonical-json.js';
import { ApiError, internalError } from '../../common/errors/index.js';

/** What is done with keys. */
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
  /** The personal token that a member acted with. */
  readonly tokenId?: string;
}

/** One use of keys, as whoever carries it out tells it. */
export interface KeyUse {
  readonly operation: KeyOperation;
  readonly actor: KeyActor;
  /** Whose keys. */
  readonly userId: string;
  readonly keysId: string;
  /** What they were used on or for: accounts, the wallet, the kind of what was signed. No secrets. */
  readonly subject: Readonly<Record<string, unknown>>;
  readonly reason: string;
  /** Of what was signed, sealed or shown; null where nothing was. */
  readonly digest: Buffer | null;
  /** `allowed`, or the code of the refusal. */
  readonly verdict: string;
}

export interface LedgerEntry extends KeyUse {
  readonly environmentId: string;
  readonly id: string;
}

/** A row, which has its place in the chain of its environment. */
export interface LedgerRow extends LedgerEntry {
  readonly sequence: number;
  /** UTC with six decimals, such as `2026-01-31T12:00:00.123456Z`: the text that is hashed. */
  readonly occurredAt: string;
  readonly previousHash: Buffer;
  readonly hash: Buffer;
}

/**
 * What is written of a use that failed: its refusal, or that whoever holds the keys has failed with them, who may have used
 * them. Null for what failed before or after, which says nothing of keys.
 */
export function verdictOn(error: unknown, isHolderAsked: boolean): string | null {
  if (error instanceof ApiError) return error.code;
  return isHolderAsked ? internalError().code : null;
}

/** Stands before the first row. */
export const GENESIS_HASH = Buffer.alloc(32);

const sha256 = (bytes: Uint8Array | string): Buffer => createHash('sha256').update(bytes).digest();

/** SHA-256 of the canonical JSON of an entry, its digest in hexadecimal. */
export function entryHash(entry: LedgerEntry): Buffer {
  const { environmentId, id, operation, actor, userId, keysId, subject, reason, digest, verdict } = entry;
  const hex = digest?.toString('hex') ?? null;
  return sha256(
    canonicalJson({ environmentId, id, operation, actor, userId, keysId, subject, reason, digest: hex, verdict }),
  );
}

/**
 * SHA-256 of `previous hash | sequence, 64 bits big-endian | time as text | hash of the entry`. The database computes
 * the same where it knows the place of a new row.
 */
export function rowHash(row: Omit<LedgerRow, 'hash'>): Buffer {
  const sequence = Buffer.alloc(8);
  sequence.writeBigInt64BE(BigInt(row.sequence));
  return sha256(Buffer.concat([row.previousHash, sequence, Buffer.from(row.occurredAt), entryHash(row)]));
}
