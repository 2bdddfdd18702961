import { Injectable } from '@nestjs/common';
import { asSystem, Database } from '../database/index.js';
import type { Quickstart } from './quickstart.js';

const FIND = asSystem('a start of a development instance has no caller yet').statement(
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
