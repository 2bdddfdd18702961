import { Column, Entity, ForeignKey, Index } from 'typeorm';
import { EnvironmentEntity } from '../../../../database/index.js';

/** A provider's tokens for an account, for calls on behalf of the person. Replaced as a whole, under a new id. */
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

  /** The user it was issued for. Statements that read it return the account's current user. */
  @Column({ type: 'uuid' })
  userId!: string;

  @Column({ type: 'text' })
  provider!: string;

  @Column({ type: 'bytea' })
  sealedTokens!: Buffer;

  /** The vault key it is sealed with. */
  @Column({ type: 'text' })
  masterKeyId!: string;

  /** When the access token expires; null if the provider did not say. */
  @Column({ type: 'timestamptz', nullable: true })
  expiresAt!: Date | null;

  /** Until then only one caller may refresh it. */
  @Column({ type: 'timestamptz', nullable: true })
  refreshingUntil!: Date | null;
}
