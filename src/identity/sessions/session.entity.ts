import { Column, Entity, ForeignKey, Index } from 'typeorm';
import { EnvironmentEntity } from '../../database/index.js';

/**
 * A sign-in that lasts: who, by which proofs, from where, and the one token that may be exchanged for the next. Ended ones
 * stay for a while.
 */
@Entity('sessions')
@Index('sessions_of_user', ['environmentId', 'userId', 'createdAt'])
@Index('sessions_expired', ['expiresAt'])
@ForeignKey('users', ['environmentId', 'userId'], ['environmentId', 'id'], {
  name: 'sessions_user',
  onDelete: 'CASCADE',
})
export class Session extends EnvironmentEntity {
  @Column({ type: 'uuid' })
  userId!: string;

  /** The credential that was proven; null when the method has none. */
  @Column({ type: 'uuid', nullable: true })
  credentialId!: string | null;

  /** What figures call the way of signing in. A trigger writes it, because the credential may leave before the session. */
  @Column({ type: 'text', nullable: true, insert: false, update: false })
  method!: string | null;

  /** How the user was authenticated (RFC 8176). */
  @Column({ type: 'text', array: true })
  amr!: string[];

  /** When the person acted, as the proof says; null in sessions that are older than this column. */
  @Column({ type: 'timestamptz', nullable: true })
  authenticatedAt!: Date | null;

  /** Origin of the application that signed the user in; null outside of browsers. */
  @Column({ type: 'text', nullable: true })
  audience!: string | null;

  @Column({ type: 'text', nullable: true })
  ipAddress!: string | null;

  @Column({ type: 'text', nullable: true })
  userAgent!: string | null;

  /** A public key of the client, repeated in its tokens. */
  @Column({ type: 'text', nullable: true })
  sessionPublicKey!: string | null;

  /** `jti` of the current tokens. */
  @Column({ type: 'uuid' })
  tokenId!: string;

  /** `jti` of the tokens that the current ones replaced. */
  @Column({ type: 'uuid', nullable: true })
  previousTokenId!: string | null;

  /** Who was given the current tokens; a repeat of the exchange has to come from the same. */
  @Column({ type: 'text', nullable: true })
  tokenUserAgent!: string | null;

  /** When the tokens before the previous one were replaced, in Unix seconds, as long as they may count. */
  @Column({ type: 'jsonb', default: {} })
  replacedTokens!: Record<string, number>;

  /** Those that counted when the tokens were last cut; they do no longer. */
  @Column({ type: 'uuid', array: true, default: [] })
  cutTokens!: string[];

  /** With the expiry, what makes the current tokens reproducible to the byte. */
  @Column({ type: 'timestamptz' })
  tokenIssuedAt!: Date;

  @Column({ type: 'timestamptz' })
  tokenExpiresAt!: Date;

  /** When a second factor was given last; null while none was. */
  @Column({ type: 'timestamptz', nullable: true })
  raisedAt!: Date | null;

  /** The end of the session, however often its tokens are refreshed; with a second factor, if they are not. */
  @Column({ type: 'timestamptz' })
  expiresAt!: Date;

  @Column({ type: 'timestamptz', nullable: true })
  revokedAt!: Date | null;
}
