import { Injectable } from '@nestjs/common';
import { Database, scopedStatement } from '../database/index.js';
import type { Quickstart } from './quickstart.js';

const FIND = scopedStatement(
  'projects.probe',
  'SELECT id FROM projects WHERE organization_id = $1 AND id = $2 AND deleted_at IS NULL',
);

@Injectable()
export class QuickstartProjectsRepository {
  constructor(private readonly database: Database) {}

  async exists({ organizationId, projectId }: Pick<Quickstart, 'organizationId' | 'projectId'>): Promise<boolean> {
    return (await this.database.rows(FIND, [organizationId, projectId])).length > 0;
  }
}
