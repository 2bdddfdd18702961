import { Check, Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';

/** A coupon created by the operator, for any organization. */
@Entity('billing_coupons')
@Check('billing_coupons_within', 'redemptions <= max_redemptions')
export class CouponRow {
  /** In upper case. */
  @PrimaryColumn({ type: 'text' })
  code!: string;

  @Column({ type: 'integer', nullable: true })
  trialDays!: number | null;

  @Column({ type: 'integer', nullable: true })
  percentOff!: number | null;

  /** Maximum number of organizations that may redeem it; null for no limit. */
  @Column({ type: 'integer', nullable: true })
  maxRedemptions!: number | null;

  @Column({ type: 'integer', default: 0 })
  redemptions!: number;

  @Column({ type: 'timestamptz', nullable: true })
  expiresAt!: Date | null;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  createdAt!: Date;
}

/** The redemption of a coupon by an organization. */
@Entity('billing_redemptions')
@ForeignKey('organizations', ['organizationId'], ['id'], {
  name: 'billing_redemptions_organization',
  onDelete: 'CASCADE',
})
@ForeignKey(() => CouponRow, ['coupon'], ['code'], { name: 'billing_redemptions_coupon' })
export class RedemptionRow {
  @PrimaryColumn({ type: 'uuid' })
  organizationId!: string;

  @PrimaryColumn({ type: 'text' })
  coupon!: string;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  redeemedAt!: Date;
}
