import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';

/** How often the encrypted shares of a wallet left the service since the first time of the window. */
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
