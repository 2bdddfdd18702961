import { Check, Column, Entity, ForeignKey, Index } from 'typeorm';
import { EnvironmentEntity } from '../../database/index.js';

/** `hd-entropy`: the HD seed, one per user; `private-key`: an imported key of one account. */
export type HeldSecretKind = 'hd-entropy' | 'private-key';

/**
 * A user's sealed key material: the HD seed, and any imported private keys. Ids that start with `vault` are what
 * clients see as the keyvault's records.
 */
@Entity('wallet_seeds')
@Index('wallet_seeds_one_per_user', ['environmentId', 'userId'], {
  unique: true,
  where: "destroy_after IS NULL AND kind = 'hd-entropy'",
})
@Index('wallet_seeds_of_user', ['environmentId', 'userId'], { where: 'destroy_after IS NULL' })
@Check('wallet_seeds_kind', "kind IN ('hd-entropy', 'private-key')")
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

  /** The user as known to the signing side. */
  @Column({ type: 'uuid' })
  vaultUserId!: string;

  @Column({ type: 'text', default: 'hd-entropy' })
  kind!: HeldSecretKind;

  /** 256 bits in an envelope: entropy, or the private key. */
  @Column({ type: 'bytea' })
  sealedEntropy!: Buffer;

  /** The master key that wraps the envelope's data key. */
  @Column({ type: 'text' })
  masterKeyId!: string;

  /** Set when the user or their last wallet is deleted: when to destroy the row, and every key with it. */
  @Column({ type: 'timestamptz', nullable: true })
  destroyAfter!: Date | null;
}
