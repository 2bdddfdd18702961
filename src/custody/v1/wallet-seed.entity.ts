import { Check, Column, Entity, ForeignKey, Index } from 'typeorm';
import { EnvironmentEntity } from '../../database/index.js';

/** `hd-entropy`: the HD seed, one for each user; `private-key`: a key of one account that the user brought along. */
export type HeldSecretKind = 'hd-entropy' | 'private-key';

/**
 * What the keys of one user come from, sealed: the HD seed, and beside it private keys that were imported. Ids that start
 * with `vault` are what clients see as the keyvault's records.
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

  /** The user on the side that signs. */
  @Column({ type: 'uuid' })
  vaultUserId!: string;

  @Column({ type: 'text', default: 'hd-entropy' })
  kind!: HeldSecretKind;

  /** 256 bits in an envelope: entropy, or the private key. */
  @Column({ type: 'bytea' })
  sealedEntropy!: Buffer;

  /** The master key that the envelope's data key is wrapped under. */
  @Column({ type: 'text' })
  masterKeyId!: string;

  /** Set when the user or the last of its wallets is deleted: then the row is destroyed, and with it every key. */
  @Column({ type: 'timestamptz', nullable: true })
  destroyAfter!: Date | null;
}
