import { Injectable } from '@nestjs/common';
import { Database, ScopedRepository, type EnvironmentId, type Executor } from '../../database/index.js';
import { DomainRow } from './global-wallet.entity.js';

export const MAX_DOMAINS = 100;

/** The sites listed in access controls of global wallets. */
@Injectable()
export class DomainsRepository extends ScopedRepository<DomainRow> {
  constructor(database: Database) {
    super(database, DomainRow);
  }

  /** Oldest first. */
  listAll(environmentId: EnvironmentId, on: Executor = this.database): Promise<DomainRow[]> {
    return this.list(environmentId, {}, { orderBy: 'id', limit: MAX_DOMAINS }, on);
  }
}
