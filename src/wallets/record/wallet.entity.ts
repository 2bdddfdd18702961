import { Check, Column, Entity, ForeignKey, Index } from 'typeorm';
import type { CustodyVersion } from '../../custody/index.js';
import { EnvironmentEntity } from '../../database/index.js';

/** `embedded`: the service keeps its keys; `external`: the user keeps them elsewhere. */
export type WalletKind = 'embedded' | 'external';

/** Another address of an external wallet, as the wallet reports it. */
export interface AdditionalAddress {
  address: string;
  publicKey?: string;
  type: string;
}

/** A wallet of a user: one account on one chain. */
@Entity('wallets')
@Index('wallets_of_user', ['environmentId', 'userId'])
@Index('wallets_one_per_account', ['environmentId', 'userId', 'chain', 'accountIndex'], {
  unique: true,
  where: "kind = 'embedded'",
})
@Index('wallets_embedded_address', ['environmentId', 'chain', 'address'], {
  unique: true,
  where: "kind = 'embedded'",
})
@Index('wallets_versions', ['environmentId', 'version'], { where: "kind = 'embedded' AND deleted_at IS NULL" })
@Index('wallets_address', { synchronize: false })
@Check('wallets_kind', "kind IN ('embedded', 'external')")
@Check('wallets_version', "kind <> 'embedded' OR version IS NOT NULL AND version IN ('V1', 'V2', 'V3', 'external')")
@ForeignKey('users', ['environmentId', 'userId'], ['environmentId', 'id'], {
  name: 'wallets_user',
  onDelete: 'CASCADE',
})
export class Wallet extends EnvironmentEntity {
  @Column({ type: 'uuid' })
  userId!: string;

  @Column({ type: 'text' })
  kind!: WalletKind;

  @Column({ type: 'text' })
  name!: string;

  @Column({ type: 'text' })
  chain!: string;

  @Column({ type: 'text' })
  address!: string;

  /** Hexadecimal without prefix; unknown for most external wallets. */
  @Column({ type: 'text', nullable: true })
  publicKey!: string | null;

  @Column({ type: 'text' })
  provider!: string;

  /** The keys of an embedded wallet, by the custodian's id. They outlive the wallet. */
  @Column({ type: 'uuid', nullable: true })
  seedId!: string | null;

  /** Shares dealt of the same key. They replace it once the user has refreshed them. */
  @Column({ type: 'uuid', nullable: true })
  dealtKeysId!: string | null;

  /** The key that the service held before an upgrade. It is there as long as other wallets are made from it. */
  @Column({ type: 'uuid', nullable: true })
  upgradedFrom!: string | null;

  /** Null for an imported key, which has one account and no path. */
  @Column({ type: 'integer', nullable: true })
  accountIndex!: number | null;

  @Column({ type: 'text', nullable: true })
  derivationPath!: string | null;

  /** Custody version of an embedded wallet: who holds its keys. Only an upgrade changes it. */
  @Column({ type: 'text', nullable: true })
  version!: CustodyVersion | null;

  /** When the owner of a wallet made ahead proved their ownership. */
  @Column({ type: 'timestamptz', nullable: true })
  claimedAt!: Date | null;

  @Column({ type: 'jsonb', nullable: true })
  additionalAddresses!: AdditionalAddress[] | null;

  @Column({ type: 'timestamptz', nullable: true })
  lastSelectedAt!: Date | null;

  /** Set while the user hides an embedded wallet: its keys stay, and nobody can see or use it. */
  @Column({ type: 'timestamptz', nullable: true })
  deletedAt!: Date | null;

  /** Whether the user refuses servers access to it. */
  @Column({ type: 'boolean', default: false })
  deniesDelegation!: boolean;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  updatedAt!: Date;
}
