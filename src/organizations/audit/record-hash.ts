import { createHash } from 'node:crypto';
import type { StoredActor } from './actor.js';
import { canonicalJson } from '../../common/canonical-json.js';
import type { FieldChange } from './field-changes.js';

/** What the hash of a record covers: all of the record, and the hash of the one before. */
export interface HashedRecord {
  organizationId: string;
  sequence: number;
  id: string;
  /** UTC with six decimals, such as `2026-01-31T12:00:00.123456Z`. */
  occurredAt: string;
  actor: StoredActor;
  action: string;
  resourceType: string;
  resourceId: string;
  environmentId: string | null;
  changes: readonly FieldChange[];
  previousHash: Buffer;
}

/** Stands before the first record. */
export const GENESIS_HASH = Buffer.alloc(32);

/** SHA-256 of the canonical JSON of these members, the previous hash in hexadecimal. */
export function recordHash(record: HashedRecord): Buffer {
  const { organizationId, sequence, id, occurredAt, actor, action, resourceType, resourceId } = record;
  const { environmentId, changes, previousHash } = record;
  const text = canonicalJson({
    ...{ organizationId, sequence, id, occurredAt, actor, action, resourceType, resourceId },
    ...{ environmentId, changes, previousHash: previousHash.toString('hex') },
  });
  return createHash('sha256').update(text).digest();
}
