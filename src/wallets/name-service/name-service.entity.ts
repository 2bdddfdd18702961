import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { EnvironmentEntity } from '../../database/index.js';

export const ENABLED_DOMAIN = 'name_services_enabled_domain';
export const SERVICE_OF_CHAIN = 'name_services_chain';

/** A domain whose owner allows an environment to issue names below it. */
@Entity('name_services')
@ForeignKey('environments', ['environmentId'], ['id'], { name: 'name_services_environment', onDelete: 'CASCADE' })
@Index(SERVICE_OF_CHAIN, ['environmentId', 'chain'], { unique: true })
@Index(ENABLED_DOMAIN, ['chain', 'domain'], { unique: true, where: 'enabled_at IS NOT NULL' })
export class NameServiceRow extends EnvironmentEntity {
  @Column({ type: 'text' })
  chain!: string;

  /** Normalised. */
  @Column({ type: 'text' })
  domain!: string;

  /** Address of the owner who signed, with its checksum. */
  @Column({ type: 'text' })
  address!: string;

  @Column({ type: 'timestamptz', nullable: true })
  enabledAt!: Date | null;

  /** Address of the key that signs answers about names; null until it is first enabled. */
  @Column({ type: 'text', nullable: true })
  signerAddress!: string | null;

  @Column({ type: 'bytea', nullable: true })
  sealedKey!: Buffer | null;

  @Column({ type: 'text', nullable: true })
  masterKeyId!: string | null;
}

/** The message given to the owner of a domain to sign: the latest for an environment and chain. */
@Entity('name_service_proofs')
@ForeignKey('environments', ['environmentId'], ['id'], { name: 'name_service_proofs_environment', onDelete: 'CASCADE' })
export class NameProofRow {
  @PrimaryColumn({ type: 'uuid' })
  environmentId!: string;

  @PrimaryColumn({ type: 'text' })
  chain!: string;

  @Column({ type: 'text' })
  domain!: string;

  @Column({ type: 'text' })
  address!: string;

  @Column({ type: 'text' })
  message!: string;

  @Column({ type: 'timestamptz' })
  expiresAt!: Date;
}

/** A name of a wallet. It follows its wallet, for instance when two users are merged. */
@Entity('wallet_names')
@ForeignKey('name_services', ['environmentId', 'serviceId'], ['environmentId', 'id'], {
  name: 'wallet_names_service',
  onDelete: 'CASCADE',
})
@ForeignKey('wallets', ['environmentId', 'walletId'], ['environmentId', 'id'], {
  name: 'wallet_names_wallet',
  onDelete: 'CASCADE',
})
@Index('wallet_names_handle', ['environmentId', 'serviceId', 'handle'], { unique: true })
@Index('wallet_names_one', ['environmentId', 'walletId'], { unique: true })
export class WalletNameRow extends EnvironmentEntity {
  @Column({ type: 'uuid' })
  serviceId!: string;

  /** The label below the domain. */
  @Column({ type: 'text' })
  handle!: string;

  @Column({ type: 'uuid' })
  walletId!: string;
}
