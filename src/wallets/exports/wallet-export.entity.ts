import { Column, Entity, ForeignKey, Index } from 'typeorm';
import type { HpkeKem } from '../../custody/index.js';
import { EnvironmentEntity } from '../../database/index.js';

/** An export requested by its user: the key it is sealed to, and its expiry. Single-use. */
@Entity('wallet_exports')
@Index('wallet_exports_expired', ['expiresAt'])
@Index('wallet_exports_of_wallet', ['environmentId', 'walletId'])
@ForeignKey('wallets', ['environmentId', 'walletId'], ['environmentId', 'id'], {
  name: 'wallet_exports_wallet',
  onDelete: 'CASCADE',
})
export class WalletExport extends EnvironmentEntity {
  @Column({ type: 'uuid' })
  userId!: string;

  /** The session that requested it; no other may fetch it. */
  @Column({ type: 'uuid' })
  sessionId!: string;

  @Column({ type: 'uuid' })
  walletId!: string;

  @Column({ type: 'text' })
  kem!: HpkeKem;

  /** The recipient's public key. */
  @Column({ type: 'bytea' })
  publicKey!: Buffer;

  /** When it becomes available; null for at once. */
  @Column({ type: 'timestamptz', nullable: true })
  availableAt!: Date | null;

  @Column({ type: 'timestamptz' })
  expiresAt!: Date;

  /** Set by the one call that fetches it. */
  @Column({ type: 'timestamptz', nullable: true })
  usedAt!: Date | null;
}
