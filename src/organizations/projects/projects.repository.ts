import { Injectable } from '@nestjs/common';
import type { OrganizationId } from '../../auth/index.js';
import {
  Database,
  OrganizationRepository,
  scopedStatement,
  type EnvironmentId,
  type Executor,
  type Transaction,
} from '../../database/index.js';
import { Project } from './project.entity.js';

/** A project with its environments, the live one first. Environments still being imported are left out. */
export interface ProjectWithEnvironments {
  id: string;
  name: string;
  organizationId: string;
  projectEnvironments: { id: string; environmentName: 'sandbox' | 'live' }[];
}

const WITH_ENVIRONMENTS = `p.id, p.name, p.organization_id AS "organizationId", (
    SELECT coalesce(json_agg(json_build_object('id', e.id, 'environmentName', e.kind) ORDER BY e.kind), '[]')
    FROM environments e WHERE e.project_id = p.id AND e.deleted_at IS NULL
  ) AS "projectEnvironments"
  FROM projects p`;

const LIST = scopedStatement(
  'projects.list',
  `SELECT ${WITH_ENVIRONMENTS} WHERE p.organization_id = $1 AND p.deleted_at IS NULL ORDER BY p.created_at, p.id`,
);
const FIND = scopedStatement(
  'projects.find',
  `SELECT ${WITH_ENVIRONMENTS} WHERE p.organization_id = $1 AND p.id = $2 AND p.deleted_at IS NULL`,
);
const COUNT = scopedStatement(
  'projects.count',
  'SELECT count(*)::int AS count FROM projects WHERE organization_id = $1 AND deleted_at IS NULL',
);
/** Whoever deletes the project meanwhile waits, and then finds the environment. */
const HOLD_OF_IMPORT = scopedStatement(
  'projects.holdOfImport',
  `SELECT p.id FROM environment_imports i JOIN environments e ON e.id = i.environment_id
   JOIN projects p ON p.id = e.project_id
   WHERE i.environment_id = $1 AND p.deleted_at IS NULL FOR SHARE OF p`,
);
const MARK_DELETED = scopedStatement(
  'projects.markDeleted',
  `UPDATE projects SET deleted_at = now() WHERE organization_id = $1 AND id = $2 AND deleted_at IS NULL
   RETURNING id, name`,
);

@Injectable()
export class ProjectsRepository extends OrganizationRepository<Project> {
  constructor(database: Database) {
    super(database, Project);
  }

  listWithEnvironments(organizationId: OrganizationId): Promise<ProjectWithEnvironments[]> {
    return this.database.rows<ProjectWithEnvironments>(LIST, [organizationId]);
  }

  async findWithEnvironments(organizationId: OrganizationId, id: string): Promise<ProjectWithEnvironments | null> {
    return (await this.database.rows<ProjectWithEnvironments>(FIND, [organizationId, id]))[0] ?? null;
  }

  /** Exact in a transaction that holds the lock on the organization. */
  async count(organizationId: OrganizationId, on: Executor = this.database): Promise<number> {
    return (await on.rows<{ count: number }>(COUNT, [organizationId]))[0]?.count ?? 0;
  }

  /** Keeps the project of an environment that is being imported until the transaction ends. False if it is deleted. */
  async holdOfImport(environmentId: EnvironmentId, tx: Transaction): Promise<boolean> {
    return (await tx.rows(HOLD_OF_IMPORT, [environmentId])).length === 1;
  }

  /** Makes a project unreachable; null when it does not exist, or no longer does. */
  async markDeleted(
    organizationId: OrganizationId,
    id: string,
    tx: Transaction,
  ): Promise<Pick<Project, 'id' | 'name'> | null> {
    return (await tx.rows<Pick<Project, 'id' | 'name'>>(MARK_DELETED, [organizationId, id]))[0] ?? null;
  }
}
