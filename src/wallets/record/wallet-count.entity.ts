import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';

/** How many wallets an environment has, in slots that triggers on `wallets` keep exact: the sum is the number. */
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
