import { Injectable } from '@nestjs/common';
import type { EnvironmentId } from '../../auth/index.js';
import { Database, ScopedRepository, scopedStatement } from '../../database/index.js';
import { Origin } from './origin.entity.js';

const LIST = scopedStatement('origins.patterns', 'SELECT origin FROM origins WHERE environment_id = $1');

@Injectable()
export class OriginsRepository extends ScopedRepository<Origin> {
  constructor(database: Database) {
    super(database, Origin);
  }

  async listPatterns(environmentId: EnvironmentId): Promise<string[]> {
    return (await this.database.rows<{ origin: string }>(LIST, [environmentId])).map(({ origin }) => origin);
  }
}
