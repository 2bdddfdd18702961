import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';

/** The address a user has chosen, instead of the account's, for codes and notices about their wallets. */
@Entity('wallet_recovery_emails')
@ForeignKey('users', ['environmentId', 'userId'], ['environmentId', 'id'], {
  name: 'wallet_recovery_emails_user',
  onDelete: 'CASCADE',
})
export class WalletRecoveryEmail {
  @PrimaryColumn({ type: 'uuid' })
  environmentId!: string;

  @PrimaryColumn({ type: 'uuid' })
  userId!: string;

  /** Normalised; verified by a code sent to it. */
  @Column({ type: 'text' })
  email!: string;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  updatedAt!: Date;
}
