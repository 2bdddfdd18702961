import { Injectable } from '@nestjs/common';
import type { EnvironmentId, EnvironmentKind, OrganizationId, TenantEnvironment } from '../../auth/index.js';
import {
  Database,
  asSystem,
  scopedStatement,
  tenantStatement,
  type Executor,
  type Transaction,
} from '../../database/index.js';
import { consoleScope } from '../tenant-scope.js';
import { ENFORCES_SSO } from './enforces-sso.js';

const FIND = asSystem('the environment a path names is looked up before the caller is known').statement(
  'environments.find',
  `SELECT e.id, e.kind, e.organization_id AS "organizationId", ${ENFORCES_SSO}
   FROM environments e WHERE e.id = ANY($1::uuid[]) AND e.deleted_at IS NULL`,
);
const FIND_CONSOLE = asSystem('the console environment is found by its kind, before anybody can name it').statement(
  'environments.findConsole',
  "SELECT id, kind FROM environments WHERE kind = 'console'",
);
const INSERT_CONSOLE = asSystem('the console environment is made by whichever instance starts first').statement(
  'environments.insertConsole',
  "INSERT INTO environments (id, kind) VALUES ($1, 'console') ON CONFLICT DO NOTHING",
);
const INSERT = scopedStatement(
  'environments.insert',
  'INSERT INTO environments (organization_id, project_id, id, kind) VALUES ($1, $2, $3, $4)',
);
const MARK_DELETED = scopedStatement(
  'environments.markDeleted',
  'UPDATE environments SET deleted_at = now() WHERE organization_id = $1 AND project_id = $2 RETURNING id',
);
const LOCK = tenantStatement('environments.lock', 'SELECT id FROM environments WHERE id = $1 FOR NO KEY UPDATE');

@Injectable()
export class EnvironmentsRepository {
  constructor(private readonly database: Database) {}

  /** By id; those that do not exist are absent. */
  async findTenants(ids: readonly string[]): Promise<ReadonlyMap<string, TenantEnvironment>> {
    const rows = await this.database.rows<TenantEnvironment>(FIND, [ids]);
    return new Map(rows.map((row) => [row.id, row]));
  }

  async findConsole(on: Executor = this.database): Promise<EnvironmentId | null> {
    const [row] = await on.rows<{ id: string; kind: 'console' }>(FIND_CONSOLE, []);
    return row ? consoleScope(row) : null;
  }

  /** False when it already exists; the unique index decides between instances that start together. */
  async insertConsole(environmentId: EnvironmentId, tx: Transaction): Promise<boolean> {
    return (await tx.execute(INSERT_CONSOLE, [environmentId])) === 1;
  }

  async insert(
    organizationId: OrganizationId,
    row: { projectId: string; environmentId: EnvironmentId; kind: EnvironmentKind },
    tx: Transaction,
  ): Promise<void> {
    await tx.execute(INSERT, [organizationId, row.projectId, row.environmentId, row.kind]);
  }

  /** Makes the environments of a project unreachable; their rows are removed later. */
  async markDeleted(organizationId: OrganizationId, projectId: string, tx: Transaction): Promise<string[]> {
    return (await tx.rows<{ id: string }>(MARK_DELETED, [organizationId, projectId])).map(({ id }) => id);
  }

  /** Serialises decisions that count rows of the environment. Inserts that reference it do not wait. */
  async lock(environmentId: EnvironmentId, tx: Transaction): Promise<void> {
    await tx.rows(LOCK, [environmentId]);
  }
}
