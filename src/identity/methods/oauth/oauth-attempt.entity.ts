import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

/** A sign-in that has gone to a provider. Neither its state nor what it is bound to can be read from the row. */
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

  /** The setup of an organization that it goes to; null at a provider of the environment. May be gone by the end. */
  @Column({ type: 'uuid', nullable: true })
  ssoProviderId!: string | null;

  /** SHA-256 of what that setup was. */
  @Column({ type: 'bytea', nullable: true })
  ssoSetupHash!: Buffer | null;

  /** Where the browser goes in the end; null where a client asks for the result. */
  @Column({ type: 'text', nullable: true })
  redirectUrl!: string | null;

  /** SHA-256 of the key in the cookie of the browser that began. */
  @Column({ type: 'bytea', nullable: true })
  browserHash!: Buffer | null;

  /** The challenge of the client that began (RFC 7636 section 4.2). */
  @Column({ type: 'text', nullable: true })
  codeChallenge!: string | null;

  /** What the provider sent: useless without the verifier, which is not here. */
  @Column({ type: 'text', nullable: true })
  answer!: string | null;

  /** The issuer that the answer named (RFC 9207). */
  @Column({ type: 'text', nullable: true })
  issuer!: string | null;

  /** SHA-256 of the code that the client is given in place of the provider's. */
  @Column({ type: 'bytea', nullable: true })
  codeHash!: Buffer | null;

  /** The word of the provider for a sign-in that came to nothing. */
  @Column({ type: 'text', nullable: true })
  error!: string | null;

  @Column({ type: 'timestamptz' })
  expiresAt!: Date;
}
