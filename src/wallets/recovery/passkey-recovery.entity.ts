import { Column, Entity, ForeignKey, Index } from 'typeorm';
import { EnvironmentEntity } from '../../database/index.js';

/** A passkey that a user has lost, until a new one answers the code that was mailed. */
@Entity('wallet_passkey_recoveries')
@Index('wallet_passkey_recoveries_open', ['environmentId', 'userId'], { unique: true, where: 'used_at IS NULL' })
@Index('wallet_passkey_recoveries_of_user', ['environmentId', 'userId'])
@Index('wallet_passkey_recoveries_of_wallet', ['environmentId', 'walletId'])
@Index('wallet_passkey_recoveries_expired', ['expiresAt'])
@ForeignKey('users', ['environmentId', 'userId'], ['environmentId', 'id'], {
  name: 'wallet_passkey_recoveries_user',
  onDelete: 'CASCADE',
})
@ForeignKey('wallets', ['environmentId', 'walletId'], ['environmentId', 'id'], {
  name: 'wallet_passkey_recoveries_wallet',
  onDelete: 'CASCADE',
})
export class WalletPasskeyRecovery extends EnvironmentEntity {
  @Column({ type: 'uuid' })
  userId!: string;

  /** The session that asked, which alone may go on. */
  @Column({ type: 'uuid' })
  sessionId!: string;

  @Column({ type: 'uuid' })
  walletId!: string;

  /** SHA-256 of the code, so that a copy of the table recovers nothing. */
  @Column({ type: 'bytea' })
  challengeHash!: Buffer;

  /** Counted before anything is compared. */
  @Column({ type: 'integer', default: 0 })
  tries!: number;

  @Column({ type: 'timestamptz' })
  expiresAt!: Date;

  /** When a passkey came of it, or a later recovery took its place. */
  @Column({ type: 'timestamptz', nullable: true })
  usedAt!: Date | null;
}
