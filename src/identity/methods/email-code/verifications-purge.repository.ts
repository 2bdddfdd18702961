import { Injectable } from '@nestjs/common';
import { Database, asSystem } from '../../../database/index.js';
import { ExpiredRows, ExpiringTables } from '../../expiry/expired-rows.js';

/** Kept for an hour after its expiry, so that a late code is told apart from an unknown one. */
const PURGE = asSystem('expired rows are removed whosever they are').statement(
  'email-verifications.purge',
  `DELETE FROM email_verifications WHERE (environment_id, id) IN (
     SELECT environment_id, id FROM email_verifications
     WHERE expires_at < now() - interval '1 hour' ORDER BY expires_at LIMIT $1
   )`,
);

@Injectable()
export class VerificationsPurgeRepository extends ExpiredRows {
  constructor(
    private readonly database: Database,
    expiring: ExpiringTables,
  ) {
    super();
    expiring.register(this);
  }

  override async purge(limit: number): Promise<number> {
    return this.database.execute(PURGE, [limit]);
  }
}
