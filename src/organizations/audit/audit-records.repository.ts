import { Injectable } from '@nestjs/common';
import type { OrganizationId } from '../../auth/index.js';
import {
  Database,
  asSystem,
  scopedStatement,
  storedInstantText,
  type Executor,
  type Statement,
} from '../../database/index.js';
import type { HashedRecord } from './record-hash.js';

/** A complete record as stored. */
export type AuditRow = HashedRecord & { hash: Buffer };

/** The last record of an organization, according to its head. */
export interface StoredHead {
  organizationId: string;
  sequence: number;
  hash: Buffer;
}

export interface AuditRange {
  below: number;
  limit: number;
  environmentId?: string;
  action?: string;
}

const RECORD = `organization_id AS "organizationId", sequence::float8 AS sequence, id,
  ${storedInstantText('occurred_at')} AS "occurredAt", actor, action, resource_type AS "resourceType",
  resource_id AS "resourceId", environment_id AS "environmentId", changes,
  coalesce(previous_hash, '') AS "previousHash", coalesce(hash, '') AS hash`;
const HEAD = `organization_id AS "organizationId", sequence::float8 AS sequence, coalesce(hash, '') AS hash`;

/** Each combination of filters has its own index. ORDER BY names the column, because its alias is an expression. */
const page = (name: string, filters: string): Statement =>
  scopedStatement(
    `audit.list${name}`,
    `SELECT ${RECORD} FROM audit_records WHERE organization_id = $1 AND sequence < $2 ${filters}
     ORDER BY audit_records.sequence DESC LIMIT $3`,
  );
const PAGE = page('', '');
const PAGE_OF_ENVIRONMENT = page('OfEnvironment', 'AND environment_id = $4');
const PAGE_OF_ACTION = page('OfAction', 'AND action = $4');
const PAGE_OF_BOTH = page('OfEnvironmentAndAction', 'AND environment_id = $4 AND action = $5');

/** The smallest `bigint`. */
const LEAST = "'-9223372036854775808'::bigint";

// Without a start, from below every possible sequence number: the table may have lost its constraints.
const WALK = scopedStatement(
  'audit.walk',
  `SELECT ${RECORD} FROM audit_records WHERE organization_id = $1 AND sequence >= coalesce($2, ${LEAST})
   ORDER BY audit_records.sequence LIMIT $3`,
);
const FIND_HEAD = scopedStatement('audit.findHead', `SELECT ${HEAD} FROM audit_heads WHERE organization_id = $1`);
const LIST_HEADS = asSystem('the operator publishes the heads of all organizations').statement(
  'audit.listHeads',
  `SELECT ${HEAD} FROM audit_heads WHERE organization_id > $1 ORDER BY organization_id LIMIT $2`,
);
// One index step per trail rather than one per record.
const LIST_UNOWNED = asSystem('a trail whose organization was taken away is found by its records alone').statement(
  'audit.listUnowned',
  `WITH RECURSIVE trails AS (
     (SELECT organization_id AS id FROM audit_records ORDER BY organization_id LIMIT 1)
     UNION ALL
     SELECT (SELECT r.organization_id FROM audit_records r WHERE r.organization_id > t.id
       ORDER BY r.organization_id LIMIT 1)
     FROM trails t WHERE t.id IS NOT NULL)
   SELECT id FROM trails
   WHERE id IS NOT NULL AND NOT EXISTS (SELECT FROM organizations o WHERE o.id = trails.id) ORDER BY id LIMIT $1`,
);
/** Queries both tables, so that records without a head are found too. */
const LIST_ORGANIZATIONS = asSystem('the operator verifies the trails of all organizations').statement(
  'audit.listOrganizations',
  `SELECT id FROM organizations o WHERE id > $1 AND (EXISTS (SELECT FROM audit_heads WHERE organization_id = o.id)
     OR EXISTS (SELECT FROM audit_records WHERE organization_id = o.id))
   ORDER BY id LIMIT $2`,
);

/** Read access to the audit trails. */
@Injectable()
export class AuditRecordsRepository {
  constructor(private readonly database: Database) {}

  /** The newest records below a sequence, newest first. */
  listPage(organizationId: OrganizationId, range: AuditRange): Promise<AuditRow[]> {
    const { below, limit, environmentId, action } = range;
    const bounds = [organizationId, below, limit];
    if (environmentId !== undefined && action !== undefined) {
      return this.database.rows(PAGE_OF_BOTH, [...bounds, environmentId, action]);
    }
    if (environmentId !== undefined) return this.database.rows(PAGE_OF_ENVIRONMENT, [...bounds, environmentId]);
    if (action !== undefined) return this.database.rows(PAGE_OF_ACTION, [...bounds, action]);
    return this.database.rows(PAGE, bounds);
  }

  /** The records in order from a sequence number; with null, from the first, whatever its number. */
  walk(organizationId: string, from: number | null, limit: number, on: Executor = this.database): Promise<AuditRow[]> {
    return on.rows(WALK, [organizationId, from, limit]);
  }

  async findHead(organizationId: string, on: Executor = this.database): Promise<StoredHead | null> {
    return (await on.rows<StoredHead>(FIND_HEAD, [organizationId]))[0] ?? null;
  }

  /** Heads after an organization, in id order. */
  listHeads(after: string, limit: number): Promise<StoredHead[]> {
    return this.database.rows(LIST_HEADS, [after, limit]);
  }

  /** Organizations with a trail, after one in id order. */
  async listOrganizations(after: string, limit: number): Promise<string[]> {
    return (await this.database.rows<{ id: string }>(LIST_ORGANIZATIONS, [after, limit])).map(({ id }) => id);
  }
  /** Ids of organizations that have records but no row: only somebody who bypasses the constraints can create one. */
  async listUnowned(limit: number): Promise<string[]> {
    return (await this.database.rows<{ id: string }>(LIST_UNOWNED, [limit])).map(({ id }) => id);
  }
}
