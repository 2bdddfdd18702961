import { Column, Entity, ForeignKey, Index } from 'typeorm';
import { EnvironmentEntity } from '../../database/index.js';
import type { ExchangeKey } from '../exchanges/exchange.dto.js';
import type { PayoutRefusal } from './exchange-vendor.js';

/** Lets only one of several equal payouts be open; recipient addresses are compared case-insensitively. */
export const ONE_OPEN = 'exchange_transfers_open';
/** Lets only one of several payouts claim a transaction at the vendor. */
export const ONE_NAMED = 'exchange_transfers_reference';

/**
 * `sending`: stored, and perhaps sent. `unknown`: the vendor may have it. `mfa_required` and `refused`: the vendor did
 * not accept it, or accepted it and lists it as failed. `not_sent`: not found at the vendor. `sent`: the vendor has it.
 */
export type TransferState = 'sending' | 'unknown' | 'mfa_required' | 'refused' | 'not_sent' | 'sent';

/** A payout from an exchange account. The row exists before the vendor is asked, and only its creator asks. */
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

  /** The vendor's id of the account. */
  @Column({ type: 'text' })
  vendorAccount!: string;

  @Column({ type: 'text' })
  recipient!: string;

  /** A decimal without an exponent, as sent. */
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

  /** The vendor's reference. */
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
