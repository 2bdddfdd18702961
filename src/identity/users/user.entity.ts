import { Column, Entity, ForeignKey, Index } from 'typeorm';
import { EnvironmentEntity } from '../../database/index.js';

/** An end user of one environment. */
@Entity('users')
@ForeignKey('environments', ['environmentId'], ['id'], { name: 'users_environment', onDelete: 'CASCADE' })
@Index('users_by_creation', ['environmentId', 'createdAt', 'id'])
@Index('users_username', { synchronize: false })
@Index('users_search', { synchronize: false })
export class UserEntity extends EnvironmentEntity {
  @Column({ type: 'text', nullable: true })
  email!: string | null;

  @Column({ type: 'text', nullable: true })
  alias!: string | null;

  @Column({ type: 'text', nullable: true })
  firstName!: string | null;

  @Column({ type: 'text', nullable: true })
  lastName!: string | null;

  @Column({ type: 'text', nullable: true })
  jobTitle!: string | null;

  @Column({ type: 'text', nullable: true })
  phoneNumber!: string | null;

  @Column({ type: 'text', nullable: true })
  username!: string | null;

  @Column({ type: 'text', nullable: true })
  tShirtSize!: string | null;

  @Column({ type: 'text', nullable: true })
  team!: string | null;

  @Column({ type: 'text', nullable: true })
  country!: string | null;

  @Column({ type: 'boolean', nullable: true })
  policiesConsent!: boolean | null;

  @Column({ type: 'jsonb', nullable: true })
  metadata!: Record<string, unknown> | null;

  @Column({ type: 'jsonb', nullable: true })
  privateMetadata!: Record<string, unknown> | null;

  @Column({ type: 'text', nullable: true })
  mfaBackupCodeAcknowledgement!: string | null;

  @Column({ type: 'text', nullable: true })
  btcWallet!: string | null;

  @Column({ type: 'text', nullable: true })
  kdaWallet!: string | null;

  @Column({ type: 'text', nullable: true })
  ltcWallet!: string | null;

  @Column({ type: 'text', nullable: true })
  ckbWallet!: string | null;

  @Column({ type: 'text', nullable: true })
  kasWallet!: string | null;

  @Column({ type: 'text', nullable: true })
  dogeWallet!: string | null;

  @Column({ type: 'boolean', nullable: true })
  emailNotification!: boolean | null;

  @Column({ type: 'boolean', nullable: true })
  discordNotification!: boolean | null;

  @Column({ type: 'boolean', nullable: true })
  newsletterNotification!: boolean | null;

  /** The user's id in the environment's own sign-in. */
  @Column({ type: 'text', nullable: true })
  externalUserId!: string | null;

  @Column({ type: 'timestamptz', nullable: true })
  firstVisit!: Date | null;

  @Column({ type: 'timestamptz', nullable: true })
  lastVisit!: Date | null;

  @Column({ type: 'uuid', nullable: true })
  lastVerifiedCredentialId!: string | null;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  updatedAt!: Date;
}
