import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { DelegatedAccess } from './delegated-access.js';

/** Access to a wallet that its user has given to the servers of the team. A wallet has one at most. */
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

  /** Another one for each time that access is given. */
  @Column({ type: 'uuid' })
  id!: string;

  /** Who gave it: with a wallet that has become somebody else's it is over. */
  @Column({ type: 'uuid' })
  userId!: string;

  /** SHA-256 of what the user sealed to the key of the team. */
  @Column({ type: 'bytea' })
  credentialHash!: Buffer;

  @Column({ type: 'jsonb' })
  access!: DelegatedAccess;

  /** Of the chain's coin with the fees of the network, in its smallest unit, on the day `spentOn`. */
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
