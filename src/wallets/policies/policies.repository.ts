import { Injectable } from '@nestjs/common';
import {
  Database,
  ScopedRepository,
  scopedStatement,
  SharedQuestions,
  type EnvironmentId,
  type Transaction,
} from '../../database/index.js';
import type { WaasPolicyRule } from './policy.dto.js';
import { SigningPolicyRow } from './policy.entity.js';
import type { Charge } from './policy-judgement.js';

/** Total of the rule `r` used by a wallet and by earlier wallets of the same account; null for none. */
const used = (wallet: string): string => `(
     SELECT sum(u.total)::text FROM (
       SELECT t.total FROM signing_policy_totals t
       WHERE t.environment_id = r.environment_id AND t.rule_id = r.id AND t.wallet_id = ${wallet}
       UNION ALL
       SELECT p.total FROM wallets w JOIN signing_policy_past_totals p
         ON p.environment_id = w.environment_id AND p.rule_id = r.id AND p.address = w.address
       WHERE w.environment_id = r.environment_id AND w.id = ${wallet}) u)`;

/** Rules are ordered by id; ids grow with time. */
const RULES = scopedStatement(
  'signingPolicies.listRules',
  `SELECT r.id AS "ruleId", r.definition, ${used('$2')} AS total
   FROM signing_policy_rules r WHERE r.environment_id = $1 ORDER BY r.id`,
);

const RULES_OF_WALLETS = scopedStatement(
  'signingPolicies.listRulesOfWallets',
  `SELECT a.place::int AS place, r.id AS "ruleId", r.definition, ${used('a.wallet_id')} AS total
   FROM signing_policy_rules r CROSS JOIN unnest((SELECT $2::uuid[])) WITH ORDINALITY AS a (wallet_id, place)
   WHERE r.environment_id = $1 ORDER BY r.id`,
);

// Locked wallets and rules remain usable by others: only FOR KEY SHARE locks are taken. The past total does not change
// while the wallet exists.
const PAST = `coalesce((
     SELECT p.total FROM wallets w JOIN signing_policy_past_totals p
       ON p.environment_id = w.environment_id AND p.rule_id = $2 AND p.address = w.address
     WHERE w.environment_id = $1 AND w.id = $3), 0)`;
const CHARGE = scopedStatement(
  'signingPolicies.takeTotal',
  `INSERT INTO signing_policy_totals AS t (environment_id, rule_id, wallet_id, total)
   SELECT r.environment_id, r.id, $3, $4::numeric FROM signing_policy_rules r
   WHERE r.environment_id = $1 AND r.id = $2 AND $4::numeric <= $5::numeric - ${PAST}
   ON CONFLICT (environment_id, rule_id, wallet_id) DO UPDATE SET total = t.total + excluded.total
   WHERE t.total + excluded.total <= $5::numeric - ${PAST}`,
);

const TOUCH = scopedStatement(
  'signingPolicies.touch',
  'UPDATE signing_policies SET updated_at = now() WHERE environment_id = $1',
);

export interface StoredRule {
  readonly ruleId: string;
  readonly definition: Omit<WaasPolicyRule, 'ruleId'>;
  /** Null while the wallet has used nothing. */
  readonly total: string | null;
}

/** No wallet has this id, so no total is read. */
const NO_WALLET = '00000000-0000-0000-0000-000000000000';

@Injectable()
export class PoliciesRepository extends ScopedRepository<SigningPolicyRow> {
  private readonly asked = new SharedQuestions<string, StoredRule[]>((environmentId, walletIds) =>
    this.listOfWallets(environmentId, walletIds),
  );

  constructor(database: Database) {
    super(database, SigningPolicyRow);
  }

  /** With what the wallet has used of the totals. */
  listRules(
    environmentId: EnvironmentId,
    walletId: string = NO_WALLET,
    on: Transaction | Database = this.database,
  ): Promise<StoredRule[]> {
    return on.rows<StoredRule>(RULES, [environmentId, walletId]);
  }

  /** The same for a signature, batched with other signatures made at this moment. */
  rulesFor(environmentId: EnvironmentId, walletId: string): Promise<StoredRule[]> {
    return this.asked.put(environmentId, walletId);
  }

  /** Locked until the transaction ends, or kept from being created meanwhile: rules change under this lock only. */
  async hold(environmentId: EnvironmentId, tx: Transaction): Promise<SigningPolicyRow | null> {
    await this.lockTenant(environmentId, tx);
    return this.lock(environmentId, {}, tx);
  }

  async touch(environmentId: EnvironmentId, tx: Transaction): Promise<void> {
    await tx.execute(TOUCH, [environmentId]);
  }

  /** False when the charge would exceed the rule's total, or the rule was deleted. */
  async charge(
    environmentId: EnvironmentId,
    walletId: string,
    { ruleId, amount, totalLimit }: Charge,
    tx: Transaction,
  ): Promise<boolean> {
    return (await tx.execute(CHARGE, [environmentId, ruleId, walletId, String(amount), String(totalLimit)])) === 1;
  }

  private async listOfWallets(
    environmentId: EnvironmentId,
    walletIds: readonly string[],
  ): Promise<readonly StoredRule[][]> {
    const values = [environmentId, walletIds];
    const lists = walletIds.map((): StoredRule[] => []);
    for (const { place, ...rule } of await this.database.rows<StoredRule & { place: number }>(
      RULES_OF_WALLETS,
      values,
    )) {
      lists[place - 1]!.push(rule);
    }
    return lists;
  }
}
