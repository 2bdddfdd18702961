import { Column, Entity, ForeignKey, Index } from 'typeorm';
import { EnvironmentEntity } from '../../database/index.js';
import type { CredentialFormat } from '../vocabulary/users.js';

/** Identifies a user. Two users may hold the same identifier if an API token says so; see IdentifierClaim. */
@Entity('credentials')
@ForeignKey('users', ['environmentId', 'userId'], ['environmentId', 'id'], {
  name: 'credentials_user',
  onDelete: 'CASCADE',
})
@Index('credentials_of_user', ['environmentId', 'userId'])
@Index('credentials_email', { synchronize: false })
@Index('credentials_email_key', ['environmentId', 'emailKey'], { where: 'email_key IS NOT NULL' })
@Index('credentials_oauth', ['environmentId', 'oauthProvider', 'oauthAccountId'], {
  where: 'oauth_account_id IS NOT NULL',
})
@Index('credentials_address', { synchronize: false })
export class Credential extends EnvironmentEntity {
  @Column({ type: 'uuid' })
  userId!: string;

  @Column({ type: 'text' })
  format!: CredentialFormat;

  @Column({ type: 'boolean', default: true })
  signInEnabled!: boolean;

  @Column({ type: 'timestamptz', nullable: true })
  verifiedAt!: Date | null;

  /** As entered; compared through `normaliseEmail`. */
  @Column({ type: 'text', nullable: true })
  email!: string | null;

  /** The normal form, set only where the database's `lower` may give a different text; null otherwise. */
  @Column({ type: 'text', nullable: true })
  emailKey!: string | null;

  @Column({ type: 'text', nullable: true })
  publicIdentifier!: string | null;

  @Column({ type: 'text', nullable: true })
  address!: string | null;

  @Column({ type: 'text', nullable: true })
  chain!: string | null;

  /** The network whose contract proved the wallet; only that contract counts from then on. Null if a key proved it. */
  @Column({ type: 'integer', nullable: true })
  contractNetwork!: number | null;

  @Column({ type: 'uuid', nullable: true })
  walletId!: string | null;

  @Column({ type: 'text', nullable: true })
  walletName!: string | null;

  @Column({ type: 'text', nullable: true })
  walletProvider!: string | null;

  @Column({ type: 'jsonb', nullable: true })
  walletProperties!: Record<string, unknown> | null;

  @Column({ type: 'jsonb', nullable: true })
  walletAdditionalAddresses!: Record<string, unknown>[] | null;

  @Column({ type: 'text', nullable: true })
  oauthProvider!: string | null;

  @Column({ type: 'text', nullable: true })
  oauthAccountId!: string | null;

  /** The OAuth connection, for providers that each company runs itself; null for providers with a single instance. */
  @Column({ type: 'uuid', nullable: true })
  oauthConnectionId!: string | null;

  @Column({ type: 'text', nullable: true })
  oauthUsername!: string | null;

  @Column({ type: 'text', nullable: true })
  oauthDisplayName!: string | null;

  @Column({ type: 'text', array: true, nullable: true })
  oauthEmails!: string[] | null;

  @Column({ type: 'text', array: true, nullable: true })
  oauthAccountPhotos!: string[] | null;

  @Column({ type: 'jsonb', nullable: true })
  oauthMetadata!: Record<string, unknown> | null;

  /** The national number. */
  @Column({ type: 'text', nullable: true })
  phoneNumber!: string | null;

  @Column({ type: 'text', nullable: true })
  phoneCountryCode!: string | null;

  @Column({ type: 'text', nullable: true })
  isoCountryCode!: string | null;

  @Column({ type: 'timestamptz', nullable: true })
  lastSelectedAt!: Date | null;

  /** Previous owners, oldest first. */
  @Column({ type: 'uuid', array: true, nullable: true })
  previousUsers!: string[] | null;
}
