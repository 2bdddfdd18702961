import { Injectable } from '@nestjs/common';
import { Database, ScopedRepository } from '../../database/index.js';
import { TestAccountRow } from './test-account.entity.js';

@Injectable()
export class TestAccountsRepository extends ScopedRepository<TestAccountRow> {
  constructor(database: Database) {
    super(database, TestAccountRow);
  }
}
