import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

/** A key that stamps the requests of one session. */
@Entity('wallet_session_keys')
@Index('wallet_session_keys_of_user', ['environmentId', 'userId', 'expiresAt'])
@Index('wallet_session_keys_expired', ['expiresAt'])
@ForeignKey('users', ['environmentId', 'userId'], ['environmentId', 'id'], {
  name: 'wallet_session_keys_user',
  onDelete: 'CASCADE',
})
export class WalletSessionKey {
  @PrimaryColumn({ type: 'uuid' })
  environmentId!: string;

  @PrimaryColumn({ type: 'uuid' })
  sessionId!: string;

  /** Compressed P-256 point, hexadecimal. */
  @PrimaryColumn({ type: 'text' })
  publicKey!: string;

  @Column({ type: 'uuid' })
  userId!: string;

  @Column({ type: 'timestamptz' })
  expiresAt!: Date;

  /** Whether it arrived by mail, and so ends when the recovery address changes. */
  @Column({ type: 'boolean', default: false })
  isMailed!: boolean;
}
