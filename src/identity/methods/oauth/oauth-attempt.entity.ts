import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

/** A sign-in in progress at a provider. Neither its state nor what it is bound to can be read from the row. */
@Entity('oauth_attempts')
@Check('oauth_attempts_bound', '(browser_hash IS NULL) <> (code_challenge IS NULL)')
@Check('oauth_attempts_sso', '(sso_provider_id IS NULL) = (sso_setup_hash IS NULL)')
@Index('oauth_attempts_expired', ['expiresAt'])
@ForeignKey('environments', ['environmentId'], ['id'], { name: 'oauth_attempts_environment', onDelete: 'CASCADE' })
export class OauthAttempt {
  @PrimaryColumn({ type: 'uuid' })
  environmentId!: string;

  @PrimaryColumn({ type: 'bytea' })
  stateHash!: Buffer;

  @Column({ type: 'text' })
  provider!: string;

  /** The organization's SSO setup in use; null for a provider of the environment. May be deleted in the meantime. */
  @Column({ type: 'uuid', nullable: true })
  ssoProviderId!: string | null;

  /** SHA-256 of that setup's contents at the start. */
  @Column({ type: 'bytea', nullable: true })
  ssoSetupHash!: Buffer | null;

  /** The final redirect URL; null if the client polls for the result. */
  @Column({ type: 'text', nullable: true })
  redirectUrl!: string | null;

  /** SHA-256 of the cookie key of the browser that began. */
  @Column({ type: 'bytea', nullable: true })
  browserHash!: Buffer | null;

  /** The PKCE challenge of the client that began (RFC 7636 section 4.2). */
  @Column({ type: 'text', nullable: true })
  codeChallenge!: string | null;

  /** The provider's answer: useless without the verifier, which is not stored. */
  @Column({ type: 'text', nullable: true })
  answer!: string | null;

  /** The issuer named in the answer (RFC 9207). */
  @Column({ type: 'text', nullable: true })
  issuer!: string | null;

  /** SHA-256 of the code given to the client in place of the provider's. */
  @Column({ type: 'bytea', nullable: true })
  codeHash!: Buffer | null;

  /** The provider's error code for a failed sign-in. */
  @Column({ type: 'text', nullable: true })
  error!: string | null;

  @Column({ type: 'timestamptz' })
  expiresAt!: Date;
}
