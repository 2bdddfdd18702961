import { Injectable } from '@nestjs/common';
import { Database, asSystem, tenantStatement } from '../../database/index.js';

/** In one list. */
export const MAX_DELETED = 100;

const LIST = asSystem('a job looks for what is left of deleted projects, of whichever organization').statement(
  'deletedEnvironments.list',
  `SELECT id FROM environments WHERE deleted_at < now() - $1 * interval '1 second' AND id > $2
   ORDER BY id LIMIT ${MAX_DELETED}`,
);
const REMOVE = tenantStatement(
  'deletedEnvironments.remove',
  'DELETE FROM environments WHERE id = $1 AND deleted_at IS NOT NULL',
);
const REMOVE_PROJECTS = asSystem('a job removes deleted projects, of whichever organization').statement(
  'deletedEnvironments.removeProjects',
  `DELETE FROM projects p WHERE p.deleted_at IS NOT NULL
   AND NOT EXISTS (SELECT FROM environments e WHERE e.project_id = p.id)`,
);

/** Environments and projects marked as deleted. */
@Injectable()
export class DeletedEnvironmentsRepository {
  constructor(private readonly database: Database) {}

  /** Environments deleted more than the given number of seconds ago, after one in id order. */
  async listEnvironments(graceSeconds: number, after: string): Promise<string[]> {
    return (await this.database.rows<{ id: string }>(LIST, [graceSeconds, after])).map(({ id }) => id);
  }

  /** Removes the row, and anything written to the environment at the last moment. */
  async removeEnvironment(id: string): Promise<void> {
    await this.database.execute(REMOVE, [id]);
  }

  /** Removes deleted projects without remaining environments. */
  async removeProjects(): Promise<void> {
    await this.database.execute(REMOVE_PROJECTS, []);
  }
}
