import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';

/** How often a wallet's encrypted shares have left the service in the current window. */
@Entity('key_share_recoveries')
@ForeignKey('wallets', ['environmentId', 'walletId'], ['environmentId', 'id'], {
  name: 'key_share_recoveries_wallet',
  onDelete: 'CASCADE',
})
export class KeyShareRecovery {
  @PrimaryColumn({ type: 'uuid' })
  environmentId!: string;

  @PrimaryColumn({ type: 'uuid' })
  walletId!: string;

  @Column({ type: 'integer' })
  tries!: number;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  firstAt!: Date;
}
