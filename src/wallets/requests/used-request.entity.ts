import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

/** A signed request that was carried out. Its primary key decides between concurrent calls. */
@Entity('wallet_used_requests')
@ForeignKey('environments', ['environmentId'], ['id'], {
  name: 'wallet_used_requests_environment',
  onDelete: 'CASCADE',
})
@Index('wallet_used_requests_expired', ['expiresAt'])
export class WalletUsedRequest {
  @PrimaryColumn({ type: 'uuid' })
  environmentId!: string;

  /** SHA-256 of the body. */
  @PrimaryColumn({ type: 'bytea' })
  digest!: Buffer;

  /** When the request would have expired anyway. */
  @Column({ type: 'timestamptz' })
  expiresAt!: Date;
}
