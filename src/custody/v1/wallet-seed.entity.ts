import { Column, Entity, ForeignKey, Index } from 'typeorm';
import { EnvironmentEntity } from '../../database/index.js';

/** The HD seed of one user, sealed. Ids that start with `vault` are what clients see as the keyvault's records. */
@Entity('wallet_seeds')
@Index('wallet_seeds_one_per_user', ['environmentId', 'userId'], { unique: true, where: 'destroy_after IS NULL' })
@Index('wallet_seeds_by_master_key', ['masterKeyId', 'environmentId', 'id'])
@Index('wallet_seeds_to_destroy', ['destroyAfter'], { where: 'destroy_after IS NOT NULL' })
@ForeignKey('environments', ['environmentId'], ['id'], { name: 'wallet_seeds_environment', onDelete: 'CASCADE' })
export class WalletSeed extends EnvironmentEntity {
  /** Not a foreign key: the seed outlives a deleted user until `destroyAfter`. */
  @Column({ type: 'uuid' })
  userId!: string;

  /** The isolation record of the user's keys. */
  @Column({ type: 'uuid' })
  vaultOrganizationId!: string;

  /** The user on the side that signs. */
  @Column({ type: 'uuid' })
  vaultUserId!: string;

  /** 256 bits of entropy in an envelope. */
  @Column({ type: 'bytea' })
  sealedEntropy!: Buffer;

  /** The master key that the envelope's data key is wrapped under. */
  @Column({ type: 'text' })
  masterKeyId!: string;

  /** Set when the user is deleted: from then on the row is destroyed, and with it every key. */
  @Column({ type: 'timestamptz', nullable: true })
  destroyAfter!: Date | null;
}
