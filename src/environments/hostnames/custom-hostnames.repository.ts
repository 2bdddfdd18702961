import { Injectable } from '@nestjs/common';
import type { EnvironmentId } from '../../auth/index.js';
import {
  asSystem,
  Database,
  ScopedRepository,
  dueRowsStatement,
  scopedStatement,
  type Transaction,
} from '../../database/index.js';
import type { HostnameUsage } from './custom-hostname.dto.js';
import { CustomHostnameEntity } from './custom-hostname.entity.js';
import type { HostnameState } from './hostname-state.js';

const ROW = `environment_id AS "environmentId", id, hostname, usage, status, status_since AS "statusSince", errors,
  challenge, checked_at AS "checkedAt", next_check_at AS "nextCheckAt", created_at AS "createdAt"`;

const ENTER = scopedStatement(
  'customHostnames.enter',
  `UPDATE custom_hostnames SET status = $3, errors = $4, checked_at = now(),
     next_check_at = now() + make_interval(secs => $5),
     status_since = CASE WHEN status = $3 THEN status_since ELSE now() END
   WHERE environment_id = $1 AND id = $2
   RETURNING ${ROW}`,
);

const ACTIVE = scopedStatement(
  'customHostnames.listActive',
  `SELECT hostname FROM custom_hostnames WHERE environment_id = $1 AND usage = $2 AND status = 'active' ORDER BY id`,
);

const CLAIM = dueRowsStatement(
  'customHostnames.claim',
  `WITH due AS MATERIALIZED (
     SELECT environment_id, id FROM custom_hostnames WHERE next_check_at <= now()
     ORDER BY next_check_at LIMIT $1 FOR UPDATE SKIP LOCKED)
   UPDATE custom_hostnames h SET next_check_at = now() + make_interval(secs => $2) FROM due
   WHERE h.environment_id = due.environment_id AND h.id = due.id
   RETURNING h.environment_id AS "environmentId", h.id, h.hostname, h.challenge`,
);

const RECHECK_HOLDER = asSystem('another environment has proven the name; the holder must prove it again').statement(
  'customHostnames.recheckHolder',
  `UPDATE custom_hostnames SET next_check_at = LEAST(next_check_at, now()) WHERE hostname = $1 AND status = 'active'`,
);

/** A host name that is due for a DNS check. */
export type DueHostname = Pick<CustomHostnameEntity, 'environmentId' | 'id' | 'hostname' | 'challenge'>;

@Injectable()
export class CustomHostnamesRepository extends ScopedRepository<CustomHostnameEntity> {
  constructor(database: Database) {
    super(database, CustomHostnameEntity);
  }

  /** Violates the unique index of active names when another environment holds the name. */
  async enter(
    environmentId: EnvironmentId,
    id: string,
    { status, errors, nextCheckSeconds }: HostnameState,
    tx: Transaction,
  ): Promise<CustomHostnameEntity | null> {
    const values = [environmentId, id, status, errors, nextCheckSeconds];
    return (await tx.rows<CustomHostnameEntity>(ENTER, values))[0] ?? null;
  }

  async listActive(environmentId: EnvironmentId, usage: HostnameUsage): Promise<string[]> {
    const rows = await this.database.rows<{ hostname: string }>(ACTIVE, [environmentId, usage]);
    return rows.map(({ hostname }) => hostname);
  }

  /** Claims due names; they become due again after `leaseSeconds` unless a result is stored. */
  claimDue(limit: number, leaseSeconds: number): Promise<DueHostname[]> {
    return this.database.rows<DueHostname>(CLAIM, [limit, leaseSeconds]);
  }

  async recheckHolder(hostname: string): Promise<void> {
    await this.database.execute(RECHECK_HOLDER, [hostname]);
  }
}
