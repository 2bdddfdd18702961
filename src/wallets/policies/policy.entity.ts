import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { EnvironmentEntity } from '../../database/index.js';
import type { WaasPolicyRule } from './policy.dto.js';

/** The signing policy of an environment. At most one per environment. */
@Entity('signing_policies')
@ForeignKey('environments', ['environmentId'], ['id'], { name: 'signing_policies_environment', onDelete: 'CASCADE' })
@Index('signing_policies_once', ['environmentId'], { unique: true })
export class SigningPolicyRow extends EnvironmentEntity {
  @Column({ type: 'timestamptz', default: () => 'now()' })
  updatedAt!: Date;
}

@Entity('signing_policy_rules')
@ForeignKey('signing_policies', ['environmentId', 'policyId'], ['environmentId', 'id'], {
  name: 'signing_policy_rules_policy',
  onDelete: 'CASCADE',
})
@Index('signing_policy_rules_of_policy', ['environmentId', 'policyId'])
export class SigningPolicyRuleRow extends EnvironmentEntity {
  @Column({ type: 'uuid' })
  policyId!: string;

  /** As given, without its id. */
  @Column({ type: 'jsonb' })
  definition!: Omit<WaasPolicyRule, 'ruleId'>;
}

/** How much of a rule's total a wallet has used, not counting earlier wallets of its account. */
@Entity('signing_policy_totals')
@ForeignKey('signing_policy_rules', ['environmentId', 'ruleId'], ['environmentId', 'id'], {
  name: 'signing_policy_totals_rule',
  onDelete: 'CASCADE',
})
@ForeignKey('wallets', ['environmentId', 'walletId'], ['environmentId', 'id'], {
  name: 'signing_policy_totals_wallet',
  onDelete: 'CASCADE',
})
@Index('signing_policy_totals_of_wallet', ['environmentId', 'walletId'])
export class SigningPolicyTotal {
  @PrimaryColumn({ type: 'uuid' })
  environmentId!: string;

  @PrimaryColumn({ type: 'uuid' })
  ruleId!: string;

  @PrimaryColumn({ type: 'uuid' })
  walletId!: string;

  /** In base units. */
  @Column({ type: 'numeric' })
  total!: string;
}

/** Totals used by deleted wallets of an account: a wallet created for it again continues from there. */
@Entity('signing_policy_past_totals')
@ForeignKey('signing_policy_rules', ['environmentId', 'ruleId'], ['environmentId', 'id'], {
  name: 'signing_policy_past_totals_rule',
  onDelete: 'CASCADE',
})
@ForeignKey('users', ['environmentId', 'userId'], ['environmentId', 'id'], {
  name: 'signing_policy_past_totals_user',
  onDelete: 'CASCADE',
})
@Index('signing_policy_past_totals_of_user', ['environmentId', 'userId'])
export class SigningPolicyPastTotal {
  @PrimaryColumn({ type: 'uuid' })
  environmentId!: string;

  @PrimaryColumn({ type: 'uuid' })
  ruleId!: string;

  /** An address on the chain of the rule. */
  @PrimaryColumn({ type: 'text' })
  address!: string;

  @Column({ type: 'uuid' })
  userId!: string;

  /** In base units. */
  @Column({ type: 'numeric' })
  total!: string;
}
