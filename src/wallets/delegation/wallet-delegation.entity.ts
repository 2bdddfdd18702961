import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { DelegatedAccess } from './delegated-access.js';

/** Access to a wallet that its user has given to the team's servers. At most one per wallet. */
@Entity('wallet_delegations')
@ForeignKey('wallets', ['environmentId', 'walletId'], ['environmentId', 'id'], {
  name: 'wallet_delegations_wallet',
  onDelete: 'CASCADE',
})
@Index('wallet_delegations_expired', ['expiresAt'])
@Check('wallet_delegations_hash', 'length(credential_hash) = 32')
export class WalletDelegation {
  @PrimaryColumn({ type: 'uuid' })
  environmentId!: string;

  @PrimaryColumn({ type: 'uuid' })
  walletId!: string;

  /** New each time access is given. */
  @Column({ type: 'uuid' })
  id!: string;

  /** Who gave it: it ends when the wallet passes to another user. */
  @Column({ type: 'uuid' })
  userId!: string;

  /** SHA-256 of the secret that the user sealed to the team's key. */
  @Column({ type: 'bytea' })
  credentialHash!: Buffer;

  @Column({ type: 'jsonb' })
  access!: DelegatedAccess;

  /** Spent on the day `spentOn`, in the smallest unit of the chain's native coin, network fees included. */
  @Column({ type: 'numeric', default: 0 })
  spent!: string;

  /** UTC. */
  @Column({ type: 'date', nullable: true })
  spentOn!: string | null;

  @Column({ type: 'timestamptz' })
  expiresAt!: Date;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  createdAt!: Date;
}
