import { Column, Entity, ForeignKey, Index } from 'typeorm';
import { EnvironmentEntity } from '../../database/index.js';

/** The recovery of a lost passkey: open until a new one is registered with the mailed code. */
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

  /** The session that requested it; no other may continue. */
  @Column({ type: 'uuid' })
  sessionId!: string;

  @Column({ type: 'uuid' })
  walletId!: string;

  /** SHA-256 of the code, so that a leaked table does not allow recovery. */
  @Column({ type: 'bytea' })
  challengeHash!: Buffer;

  /** Counted before anything is compared. */
  @Column({ type: 'integer', default: 0 })
  tries!: number;

  @Column({ type: 'timestamptz' })
  expiresAt!: Date;

  /** When a passkey was registered by it, or it was replaced or ended. */
  @Column({ type: 'timestamptz', nullable: true })
  usedAt!: Date | null;
}
