import { Check, Column, Entity, ForeignKey, Index } from 'typeorm';
import type { CustodyVersion } from '../../custody/index.js';
import { EnvironmentEntity } from '../../database/index.js';

/** `embedded`: the service keeps its keys; `external`: the user does, elsewhere. */
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

  /** The keys that an embedded wallet comes from, as its custodian calls them. They are destroyed later than wallets. */
  @Column({ type: 'uuid', nullable: true })
  seedId!: string | null;

  /** Shares that were dealt of the same key. They take its place once the user has refreshed them. */
  @Column({ type: 'uuid', nullable: true })
  dealtKeysId!: string | null;

  /** Null for a key that was imported, which has one account and no path. */
  @Column({ type: 'integer', nullable: true })
  accountIndex!: number | null;

  @Column({ type: 'text', nullable: true })
  derivationPath!: string | null;

  /** Who holds the keys of an embedded wallet, for as long as it exists. */
  @Column({ type: 'text', nullable: true })
  version!: CustodyVersion | null;

  /** When the owner of a wallet that was made ahead proved to be its owner. */
  @Column({ type: 'timestamptz', nullable: true })
  claimedAt!: Date | null;

  @Column({ type: 'jsonb', nullable: true })
  additionalAddresses!: AdditionalAddress[] | null;

  @Column({ type: 'timestamptz', nullable: true })
  lastSelectedAt!: Date | null;

  /** Set while its user hides an embedded wallet: its keys stay, and nobody sees or uses it. */
  @Column({ type: 'timestamptz', nullable: true })
  deletedAt!: Date | null;

  /** Its user lets no server act with it. */
  @Column({ type: 'boolean', default: false })
  deniesDelegation!: boolean;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  updatedAt!: Date;
}
