import { Injectable } from '@nestjs/common';
import { scopedStatement, type EnvironmentId, type Transaction } from '../../database/index.js';

// Waits for a concurrent deletion of rules; the totals of deleted rules are not kept.
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

/** Rule totals used by wallets up to their deletion: the same accounts can be created again. */
@Injectable()
export class PastTotalsRepository {
  /** For callers that have locked the wallets, so that no more is charged, and delete them in this transaction. */
  keep(environmentId: EnvironmentId, walletIds: readonly string[], tx: Transaction): void {
    tx.send(KEEP, [environmentId, walletIds]);
  }
}
