import { createHash } from 'node:crypto';
import type { StoredActor } from './actor.js';
import { canonicalJson } from '../../common/canonical-json.js';
import type { FieldChange } from './field-changes.js';

/** What a record's hash covers: the whole record, and the hash of the previous one. */
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

/** SHA-256 of the canonical JSON of these fields, with the previous hash in hexadecimal. */
export function recordHash(record: HashedRecord): Buffer {
  const { organizationId, sequence, id, occurredAt, actor, action, resourceType, resourceId } = record;
  const { environmentId, changes, previousHash } = record;
  const text = canonicalJson({
    ...{ organizationId, sequence, id, occurredAt, actor, action, resourceType, resourceId },
    ...{ environmentId, changes, previousHash: previousHash.toString('hex') },
  });
  return createHash('sha256').update(text).digest();
}
