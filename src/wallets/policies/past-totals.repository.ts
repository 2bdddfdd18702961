import { Injectable } from '@nestjs/common';
import { scopedStatement, type EnvironmentId, type Transaction } from '../../database/index.js';

// Whoever takes rules away is waited for, and then there is nothing to keep of those.
const KEEP = scopedStatement(
  'pastTotals.put',
  `INSERT INTO signing_policy_past_totals AS p (environment_id, rule_id, address, user_id, total)
   SELECT t.environment_id, t.rule_id, w.address, w.user_id, t.total
   FROM signing_policy_totals t
   JOIN wallets w ON w.environment_id = t.environment_id AND w.id = t.wallet_id
   JOIN signing_policy_rules r ON r.environment_id = t.environment_id AND r.id = t.rule_id
   WHERE t.environment_id = $1 AND t.wallet_id = ANY ($2::uuid[])
   ORDER BY r.id FOR KEY SHARE OF r
   ON CONFLICT (environment_id, rule_id, address)
     DO UPDATE SET total = p.total + excluded.total, user_id = excluded.user_id`,
);

/** What wallets had used of the totals of rules when they were deleted: the same accounts can be made again. */
@Injectable()
export class PastTotalsRepository {
  /** For whoever has locked the wallets, so that nothing more is taken for them, and deletes them in this transaction. */
  keep(environmentId: EnvironmentId, walletIds: readonly string[], tx: Transaction): void {
    tx.send(KEEP, [environmentId, walletIds]);
  }
}
