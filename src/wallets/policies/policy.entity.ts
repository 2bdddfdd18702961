import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { EnvironmentEntity } from '../../database/index.js';
import type { WaasPolicyRule } from './policy.dto.js';

/** The signing policy of an environment, which has one at most. */
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

  /** As it was given, without its id. */
  @Column({ type: 'jsonb' })
  definition!: Omit<WaasPolicyRule, 'ruleId'>;
}

/** How much of the total of a rule a wallet has used, beside what was used before it was made. */
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

  /** Base units. */
  @Column({ type: 'numeric' })
  total!: string;
}

/** How much wallets of an account had used that were deleted: a wallet that is made of it again goes on from there. */
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

  /** On the chain of the rule. */
  @PrimaryColumn({ type: 'text' })
  address!: string;

  @Column({ type: 'uuid' })
  userId!: string;

  /** Base units. */
  @Column({ type: 'numeric' })
  total!: string;
}
