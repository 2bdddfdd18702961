import { Injectable } from '@nestjs/common';
import { newId } from '../../common/ids.js';
import { Database, ScopedRepository, scopedStatement, type EnvironmentId } from '../../database/index.js';
import type { ConnectRequest } from './visit.dto.js';
import { Visitor } from './visitor.entity.js';

const RECORD = scopedStatement(
  'visitors.record',
  `INSERT INTO visitors AS v (environment_id, id, address, chain, provider, wallet_name, auth_mode)
   VALUES ($1, $2, $3, $4, $5, $6, $7)
   ON CONFLICT (environment_id, address, chain, wallet_name) DO UPDATE
   SET visits = v.visits + 1, last_visit = now(), provider = excluded.provider,
     auth_mode = coalesce(excluded.auth_mode, v.auth_mode)`,
);

@Injectable()
export class VisitorsRepository extends ScopedRepository<Visitor> {
  constructor(database: Database) {
    super(database, Visitor);
  }

  async record(environmentId: EnvironmentId, visit: ConnectRequest): Promise<void> {
    const { address, chain, provider, walletName, authMode = null } = visit;
    await this.database.execute(RECORD, [environmentId, newId(), address, chain, provider, walletName, authMode]);
  }
}
