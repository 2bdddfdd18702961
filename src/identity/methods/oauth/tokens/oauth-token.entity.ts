import { Column, Entity, ForeignKey, Index } from 'typeorm';
import { EnvironmentEntity } from '../../../../database/index.js';

/** What a provider gave along with an account, for calls in the name of the person. Replaced whole, under another id. */
@Entity('oauth_tokens')
@Index('oauth_tokens_of_account', ['environmentId', 'credentialId'], { unique: true })
@Index('oauth_tokens_master_key', ['masterKeyId'])
@ForeignKey('credentials', ['environmentId', 'credentialId'], ['environmentId', 'id'], {
  name: 'oauth_tokens_account',
  onDelete: 'CASCADE',
})
export class OauthToken extends EnvironmentEntity {
  @Column({ type: 'uuid' })
  credentialId!: string;

  /** Whoever brought it. Statements that read it give the user who has the account by now. */
  @Column({ type: 'uuid' })
  userId!: string;

  @Column({ type: 'text' })
  provider!: string;

  @Column({ type: 'bytea' })
  sealedTokens!: Buffer;

  /** The key of the vault it is under. */
  @Column({ type: 'text' })
  masterKeyId!: string;

  /** When the access token ends; null where the provider did not say. */
  @Column({ type: 'timestamptz', nullable: true })
  expiresAt!: Date | null;

  /** Until when one caller alone asks the provider for new ones. */
  @Column({ type: 'timestamptz', nullable: true })
  refreshingUntil!: Date | null;
}
