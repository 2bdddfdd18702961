import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { Actor } from '../organizations/index.js';
import type { PlanType } from './plans.js';

/** The plan of an organization. Without a row: free, with the trial from the organization's creation. */
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

  /** Customer id at the payment provider. */
  @Column({ type: 'text', nullable: true })
  customerId!: string | null;

  @Column({ type: 'integer', default: 0 })
  upgradeAttempt!: number;

  /** Who asked for the upgrade in progress. */
  @Column({ type: 'jsonb', nullable: true })
  upgradeBy!: Actor | null;

  /** Since when the key of the attempt is known to be taken by a request of which nothing was heard. */
  @Column({ type: 'timestamptz', nullable: true })
  upgradeBlockedAt!: Date | null;

  /** The last ticket taken; each is taken before the provider is asked for its state. */
  @Column({ type: 'bigint', default: 0 })
  lastTicket!: string;

  /** Ticket of the stored state; a response with an older ticket does not replace it. */
  @Column({ type: 'bigint', default: 0 })
  mirroredTicket!: string;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  createdAt!: Date;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  updatedAt!: Date;
}
