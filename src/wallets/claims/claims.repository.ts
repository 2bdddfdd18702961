import { Injectable } from '@nestjs/common';
import { scopedStatement, type EnvironmentId, type Transaction } from '../../database/index.js';

const CLAIM = scopedStatement(
  'wallets.claim',
  `UPDATE wallets SET claimed_at = now(), updated_at = now()
   WHERE environment_id = $1 AND user_id = $2 AND id = $3 AND kind = 'embedded' AND deleted_at IS NULL
     AND claimed_at IS NULL
   RETURNING id`,
);

// Read after the update, which waits for others.
const IS_CLAIMED = scopedStatement(
  'wallets.checkClaimed',
  `SELECT id FROM wallets
   WHERE environment_id = $1 AND user_id = $2 AND id = $3 AND kind = 'embedded' AND deleted_at IS NULL
     AND claimed_at IS NOT NULL`,
);

export type ClaimOutcome = 'claimed' | 'claimed before' | 'unknown';

@Injectable()
export class ClaimsRepository {
  /** Of concurrent calls, one claims the wallet; the others find it claimed. */
  async claim(environmentId: EnvironmentId, userId: string, walletId: string, tx: Transaction): Promise<ClaimOutcome> {
    const values = [environmentId, userId, walletId];
    if ((await tx.rows(CLAIM, values)).length > 0) return 'claimed';
    return (await tx.rows(IS_CLAIMED, values)).length > 0 ? 'claimed before' : 'unknown';
  }
}
