import { Column, Entity, ForeignKey, Index } from 'typeorm';
import { EnvironmentEntity } from '../../database/index.js';
import type { ExchangeKey } from '../exchanges/exchange.dto.js';
import type { PayoutRefusal } from './exchange-vendor.js';

/** Decides which of several equal payouts is under way; addresses are compared without their case. */
export const ONE_OPEN = 'exchange_transfers_open';
/** Of several payouts that look like one at the vendor, one is it. */
export const ONE_NAMED = 'exchange_transfers_reference';

/**
 * `sending`: written, and perhaps on its way. `unknown`: the vendor may have it. `mfa_required` and `refused`: the vendor
 * did not take it, or took it and lists it as failed. `not_sent`: looked for at the vendor and not found. `sent`: the
 * vendor has it.
 */
export type TransferState = 'sending' | 'unknown' | 'mfa_required' | 'refused' | 'not_sent' | 'sent';

/** A payout from an exchange account. The row is there before the vendor is asked, and only its maker asks. */
@Entity('exchange_transfers')
@ForeignKey('users', ['environmentId', 'userId'], ['environmentId', 'id'], {
  name: 'exchange_transfers_user',
  onDelete: 'CASCADE',
})
@Index(ONE_OPEN, { synchronize: false })
@Index(ONE_NAMED, ['environmentId', 'exchange', 'reference'], { unique: true, where: 'reference IS NOT NULL' })
@Index('exchange_transfers_unsettled', ['checkedAt'], { where: "state IN ('sending', 'unknown')" })
@Index('exchange_transfers_of_user', ['environmentId', 'userId'])
export class ExchangeTransfer extends EnvironmentEntity {
  @Column({ type: 'uuid' })
  userId!: string;

  @Column({ type: 'uuid' })
  credentialId!: string;

  @Column({ type: 'text' })
  exchange!: ExchangeKey;

  @Column({ type: 'uuid' })
  accountId!: string;

  /** The vendor's own name for the account. */
  @Column({ type: 'text' })
  vendorAccount!: string;

  @Column({ type: 'text' })
  recipient!: string;

  /** A decimal without an exponent, as it is sent. */
  @Column({ type: 'text' })
  amount!: string;

  @Column({ type: 'text' })
  currency!: string;

  @Column({ type: 'text', nullable: true })
  network!: string | null;

  @Column({ type: 'text', nullable: true })
  description!: string | null;

  @Column({ type: 'text' })
  state!: TransferState;

  @Column({ type: 'text', nullable: true })
  vendorStatus!: string | null;

  /** What the vendor calls it. */
  @Column({ type: 'text', nullable: true })
  reference!: string | null;

  @Column({ type: 'text', nullable: true })
  refusal!: PayoutRefusal | 'unavailable' | null;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  sentAt!: Date;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  checkedAt!: Date;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  updatedAt!: Date;
}
