import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';

/** The address that a user has chosen for codes and notices about their wallets, instead of that of the account. */
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

  /** Normalised; a code that was sent there has come back. */
  @Column({ type: 'text' })
  email!: string;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  updatedAt!: Date;
}
