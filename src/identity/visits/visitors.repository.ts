import { Injectable } from '@nestjs/common';
import { newId } from '../../common/ids.js';
import { Database, ScopedRepository, scopedStatement, type EnvironmentId } from '../../database/index.js';
import type { ConnectRequest } from './visit.dto.js';
import { Visitor } from './visitor.entity.js';

/** Maximum visitors new to an environment per day, since anybody may report any address. */
export const MOST_OF_A_DAY = 50_000;

/** Today's visitors are counted by triggers, in as many rows as ever counted at once. */
const RECORD = scopedStatement(
  'visitors.record',
  `INSERT INTO visitors AS v (environment_id, id, address, chain, provider, wallet_name, auth_mode)
   SELECT $1, $2, $3, $4, $5, $6, $7
   WHERE (SELECT coalesce(sum(people), 0) FROM visit_days
       WHERE environment_id = $1 AND kind = 'visitor' AND day = (now() AT TIME ZONE 'UTC')::date) < ${MOST_OF_A_DAY}
     OR EXISTS (SELECT FROM visitors
       WHERE environment_id = $1 AND address = $3 AND chain = $4 AND wallet_name = $6)
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
