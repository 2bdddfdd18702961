import { Check, Column, Entity, ForeignKey, Index, Unique } from 'typeorm';
import { EnvironmentEntity } from '../../database/index.js';

/**
 * Secrets that open share copies. The passcode opens shares dealt by the service, and is deleted with them; the backup
 * key is a second lock that devices add to copies kept elsewhere.
 */
export const WALLET_SECRET_KINDS = ['passcode', 'backup-key'] as const;

export type WalletSecretKind = (typeof WALLET_SECRET_KINDS)[number];

@Entity('wallet_secrets')
@Unique('wallet_secrets_one', ['environmentId', 'walletId', 'kind'])
@Index('wallet_secrets_of_user', ['environmentId', 'userId'])
@Index('wallet_secrets_by_master_key', ['masterKeyId', 'environmentId', 'id'])
@Check('wallet_secrets_kind', "kind IN ('passcode', 'backup-key')")
@ForeignKey('users', ['environmentId', 'userId'], ['environmentId', 'id'], {
  name: 'wallet_secrets_user',
  onDelete: 'CASCADE',
})
@ForeignKey('wallets', ['environmentId', 'walletId'], ['environmentId', 'id'], {
  name: 'wallet_secrets_wallet',
  onDelete: 'CASCADE',
})
export class WalletSecret extends EnvironmentEntity {
  @Column({ type: 'uuid' })
  userId!: string;

  @Column({ type: 'uuid' })
  walletId!: string;

  @Column({ type: 'text' })
  kind!: WalletSecretKind;

  /** 32 bytes, in an envelope. */
  @Column({ type: 'bytea' })
  sealedSecret!: Buffer;

  /** The master key that the envelope's data key is wrapped under. */
  @Column({ type: 'text' })
  masterKeyId!: string;

  /** Since the start of the window. */
  @Column({ type: 'integer', default: 0 })
  reads!: number;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  firstReadAt!: Date;
}
