import { Column, Entity, ForeignKey, Index } from 'typeorm';
import type { HpkeKem } from '../../custody/index.js';
import { EnvironmentEntity } from '../../database/index.js';

/** An export that its user has asked for: to whom the key is to be sealed, and until when. Good once. */
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

  /** The session that asked, which alone may fetch it. */
  @Column({ type: 'uuid' })
  sessionId!: string;

  @Column({ type: 'uuid' })
  walletId!: string;

  @Column({ type: 'text' })
  kem!: HpkeKem;

  /** Of the recipient. */
  @Column({ type: 'bytea' })
  publicKey!: Buffer;

  /** From when it can be fetched; null for at once. */
  @Column({ type: 'timestamptz', nullable: true })
  availableAt!: Date | null;

  @Column({ type: 'timestamptz' })
  expiresAt!: Date;

  /** Set by the one call that fetches it. */
  @Column({ type: 'timestamptz', nullable: true })
  usedAt!: Date | null;
}
