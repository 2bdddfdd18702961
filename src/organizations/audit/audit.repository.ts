import { Injectable } from '@nestjs/common';
import type { EnvironmentId, OrganizationId } from '../../auth/index.js';
import { GENESIS_HASH } from '../../common/hash-chain.js';
import { asSystem, instantText, scopedStatement, type Transaction } from '../../database/index.js';
import type { HashedRecord } from './record-hash.js';

/** The end of an organization's chain, and the current time of the database clock. */
export interface ChainHead {
  organizationId: string;
  sequence: number;
  hash: Buffer;
  now: string;
}

/** A record with its hash, ready to insert. */
export type NewAuditRecord = HashedRecord & { hash: Buffer };

/** A no-op update, which locks and reads the existing row after any wait; the first time, the row is inserted. */
const TAKE_HEAD = `ON CONFLICT (organization_id) DO UPDATE SET sequence = h.sequence
  RETURNING h.organization_id AS "organizationId", h.sequence, h.hash, ${instantText('clock_timestamp()')} AS now`;

const TAKE_HEAD_OF_ORGANIZATION = scopedStatement(
  'audit.takeHead',
  `INSERT INTO audit_heads AS h (organization_id, sequence, hash) SELECT $1::uuid, 0, $2::bytea ${TAKE_HEAD}`,
);
const TAKE_HEAD_OF_ENVIRONMENT = asSystem(
  'an environment is the scope itself; its row names the organization',
).statement(
  'audit.takeHeadOfEnvironment',
  `INSERT INTO audit_heads AS h (organization_id, sequence, hash)
   SELECT e.organization_id, 0, $2::bytea FROM environments e WHERE e.id = $1 AND e.organization_id IS NOT NULL
   ${TAKE_HEAD}`,
);
const APPEND = scopedStatement(
  'audit.append',
  `WITH added AS (
     INSERT INTO audit_records (organization_id, sequence, id, occurred_at, actor, action, resource_type, resource_id,
       environment_id, changes, previous_hash, hash)
     SELECT $1::uuid, r.* FROM unnest($2::bigint[], $3::uuid[], $4::timestamptz[], $5::jsonb[], $6::text[], $7::text[],
       $8::text[], $9::uuid[], $10::jsonb[], $11::bytea[], $12::bytea[]) AS r
   )
   UPDATE audit_heads SET sequence = $13, hash = $14 WHERE organization_id = $1`,
);

/** Write access to the chains of records. */
@Injectable()
export class AuditRepository {
  /** The head, locked until the transaction ends. Null when the environment has no organization or no longer exists. */
  async takeHead(
    scope: { organizationId: OrganizationId } | { environmentId: EnvironmentId },
    tx: Transaction,
  ): Promise<ChainHead | null> {
    const [statement, id] =
      'organizationId' in scope
        ? [TAKE_HEAD_OF_ORGANIZATION, scope.organizationId]
        : [TAKE_HEAD_OF_ENVIRONMENT, scope.environmentId];
    const [head] = await tx.rows<Omit<ChainHead, 'sequence'> & { sequence: string }>(statement, [id, GENESIS_HASH]);
    return head ? { ...head, sequence: Number(head.sequence) } : null;
  }

  /** Appends records after a head that the transaction has locked. */
  async append(organizationId: string, records: readonly NewAuditRecord[], tx: Transaction): Promise<void> {
    const last = records.at(-1);
    if (!last) return;
    const column = <T>(read: (record: NewAuditRecord) => T): T[] => records.map(read);
    await tx.execute(APPEND, [
      organizationId,
      column(({ sequence }) => sequence),
      column(({ id }) => id),
      column(({ occurredAt }) => occurredAt),
      column(({ actor }) => JSON.stringify(actor)),
      column(({ action }) => action),
      column(({ resourceType }) => resourceType),
      column(({ resourceId }) => resourceId),
      column(({ environmentId }) => environmentId),
      column(({ changes }) => JSON.stringify(changes)),
      column(({ previousHash }) => previousHash),
      column(({ hash }) => hash),
      last.sequence,
      last.hash,
    ]);
  }
}
