import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { Actor } from '../organizations/index.js';
import type { PlanType } from './plans.js';

/** The plan of an organization. Without a row: free, in the trial that began with the organization. */
@Entity('billing_subscriptions')
@Index('billing_subscriptions_customer', ['customerId'], { unique: true, where: 'customer_id IS NOT NULL' })
@Check('billing_subscriptions_plan', "plan IN ('free', 'advanced', 'enterprise', 'standard')")
@ForeignKey('organizations', ['organizationId'], ['id'], {
  name: 'billing_subscriptions_organization',
  onDelete: 'CASCADE',
})
export class SubscriptionRow {
  @PrimaryColumn({ type: 'uuid' })
  organizationId!: string;

  @Column({ type: 'text', default: 'free' })
  plan!: PlanType;

  @Column({ type: 'timestamptz' })
  trialEnd!: Date;

  @Column({ type: 'boolean', default: false })
  hasPaymentMethod!: boolean;

  @Column({ type: 'boolean', default: false })
  paymentOverdue!: boolean;

  /** Its id at the payment provider. */
  @Column({ type: 'text', nullable: true })
  customerId!: string | null;

  @Column({ type: 'integer', default: 0 })
  upgradeAttempt!: number;

  /** Who asked for the upgrade that is under way. */
  @Column({ type: 'jsonb', nullable: true })
  upgradeBy!: Actor | null;

  /** Taken before the provider is asked for the state of things. */
  @Column({ type: 'bigint', default: 0 })
  lastTicket!: string;

  /** Ticket of the state that is stored; an answer to an older question does not replace it. */
  @Column({ type: 'bigint', default: 0 })
  mirroredTicket!: string;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  createdAt!: Date;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  updatedAt!: Date;
}
