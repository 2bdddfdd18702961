import { Injectable } from '@nestjs/common';
import { Database, scopedStatement, type EnvironmentId } from '../../database/index.js';

/** How often a wallet's encrypted shares may leave the service per window. Not subject to rate limit scaling. */
export const MAX_RECOVERIES = 5;
export const RECOVERY_HOURS = 24;

const isOver = `r.first_at <= now() - interval '${RECOVERY_HOURS} hours'`;

// Concurrent calls beyond the fifth see its row and match nothing.
const TAKE = scopedStatement(
  'keyShareRecoveries.take',
  `INSERT INTO key_share_recoveries AS r (environment_id, wallet_id, tries) VALUES ($1, $2, 1)
   ON CONFLICT (environment_id, wallet_id) DO UPDATE SET
     tries = CASE WHEN ${isOver} THEN 1 ELSE r.tries + 1 END,
     first_at = CASE WHEN ${isOver} THEN now() ELSE r.first_at END
   WHERE ${isOver} OR r.tries < ${MAX_RECOVERIES}`,
);

const GIVE_BACK = scopedStatement(
  'keyShareRecoveries.restore',
  `UPDATE key_share_recoveries SET tries = tries - 1 WHERE environment_id = $1 AND wallet_id = $2 AND tries > 0`,
);

const WAIT = scopedStatement(
  'keyShareRecoveries.findWait',
  `SELECT greatest(1, ceil(extract(epoch FROM first_at + interval '${RECOVERY_HOURS} hours' - now())))::int AS seconds
   FROM key_share_recoveries WHERE environment_id = $1 AND wallet_id = $2`,
);

/** Counts how often encrypted shares leave the service. */
@Injectable()
export class RecoveriesRepository {
  constructor(private readonly database: Database) {}

  /** False when there is none left. */
  async take(environmentId: EnvironmentId, walletId: string): Promise<boolean> {
    return (await this.database.execute(TAKE, [environmentId, walletId])) === 1;
  }

  /** For the call that took one, when it returns nothing. */
  async giveBack(environmentId: EnvironmentId, walletId: string): Promise<void> {
    await this.database.execute(GIVE_BACK, [environmentId, walletId]);
  }

  /** Seconds until the next window. */
  async waitSeconds(environmentId: EnvironmentId, walletId: string): Promise<number> {
    return (await this.database.rows<{ seconds: number }>(WAIT, [environmentId, walletId]))[0]?.seconds ?? 1;
  }
}
