import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';

/** Number of wallets in an environment: the sum of slots that triggers on `wallets` keep exact. */
@Entity('wallet_counts')
@ForeignKey('environments', ['environmentId'], ['id'], { name: 'wallet_counts_environment', onDelete: 'CASCADE' })
export class WalletCount {
  @PrimaryColumn({ type: 'uuid' })
  environmentId!: string;

  @PrimaryColumn({ type: 'smallint' })
  slot!: number;

  @Column({ type: 'bigint' })
  wallets!: string;
}
