import { Injectable } from '@nestjs/common';
import { newId } from '../../common/ids.js';
import { Database, ScopedRepository, scopedStatement, type EnvironmentId } from '../../database/index.js';
import type { ConnectRequest } from './visit.dto.js';
import { Visitor } from './visitor.entity.js';
import { visitingWalletOf } from './visiting-wallet.js';

/** Maximum visitors new to an environment per day, since anybody may report any address. */
export const MOST_OF_A_DAY = 50_000;

/**
 * Today's visitors are counted by triggers, in as many rows as ever counted at once. A visitor who is stored in another
 * spelling keeps it.
 */
const RECORD = scopedStatement(
  'visitors.record',
  `WITH known AS (
     SELECT address, chain FROM visitors
     WHERE environment_id = $1 AND address = ANY ($8::text[]) AND chain = ANY ($9::text[]) AND wallet_name = $6
     ORDER BY id LIMIT 1)
   INSERT INTO visitors AS v (environment_id, id, address, chain, provider, wallet_name, auth_mode)
   SELECT $1, $2, coalesce(k.address, $3), coalesce(k.chain, $4), $5, $6, $7 FROM (SELECT) AS one LEFT JOIN known k ON true
   WHERE k.address IS NOT NULL OR (SELECT coalesce(sum(people), 0) FROM visit_days
     WHERE environment_id = $1 AND kind = 'visitor' AND day = (now() AT TIME ZONE 'UTC')::date) < ${MOST_OF_A_DAY}
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
    const { provider, walletName, authMode = null } = visit;
    const { address, chain, addresses, chains } = visitingWalletOf(visit);
    const values = [address, chain, provider, walletName, authMode, addresses, chains];
    await this.database.execute(RECORD, [environmentId, newId(), ...values]);
  }
}
