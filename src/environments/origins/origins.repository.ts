import { Injectable } from '@nestjs/common';
import { Database, scopedStatement } from '../../database/index.js';
import { TextSetRepository } from '../text-sets/text-set.repository.js';
import { OriginEntity } from './origin.entity.js';

const PATTERNS = scopedStatement(
  'origins.listPatterns',
  'SELECT origin FROM origins WHERE environment_id = $1 ORDER BY id',
);

@Injectable()
export class OriginsRepository extends TextSetRepository<OriginEntity> {
  constructor(database: Database) {
    super(database, OriginEntity, 'origin');
  }

  async listPatterns(environmentId: string): Promise<string[]> {
    return (await this.database.rows<{ origin: string }>(PATTERNS, [environmentId])).map(({ origin }) => origin);
  }
}
