import { Column, Entity, ForeignKey, Index } from 'typeorm';
import { EnvironmentEntity } from '../../database/index.js';

/**
 * A session: the user, the methods, the client, and the one token that may be exchanged for the next. Ended sessions
 * are kept for a while.
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

  /** The proven credential; null if the method has none. */
  @Column({ type: 'uuid', nullable: true })
  credentialId!: string | null;

  /** The sign-in method in statistics. Set by a trigger: the credential may be removed before the session. */
  @Column({ type: 'text', nullable: true, insert: false, update: false })
  method!: string | null;

  /** How the user was authenticated (RFC 8176). */
  @Column({ type: 'text', array: true })
  amr!: string[];

  /** When the person authenticated, by the proof; null in sessions older than this column. */
  @Column({ type: 'timestamptz', nullable: true })
  authenticatedAt!: Date | null;

  /** Origin of the application that signed the user in; null outside browsers. */
  @Column({ type: 'text', nullable: true })
  audience!: string | null;

  @Column({ type: 'text', nullable: true })
  ipAddress!: string | null;

  @Column({ type: 'text', nullable: true })
  userAgent!: string | null;

  /** A public key of the client, included in its tokens. */
  @Column({ type: 'text', nullable: true })
  sessionPublicKey!: string | null;

  /** `jti` of the current tokens. */
  @Column({ type: 'uuid' })
  tokenId!: string;

  /** `jti` of the tokens that the current ones replaced. */
  @Column({ type: 'uuid', nullable: true })
  previousTokenId!: string | null;

  /** User agent that received the current tokens; a repeated exchange must come from the same. */
  @Column({ type: 'text', nullable: true })
  tokenUserAgent!: string | null;

  /** When earlier tokens than the previous one were replaced, in Unix seconds, while they may still count. */
  @Column({ type: 'jsonb', default: {} })
  replacedTokens!: Record<string, number>;

  /** Tokens that still counted when the tokens were last cut, and no longer do. */
  @Column({ type: 'uuid', array: true, default: [] })
  cutTokens!: string[];

  /** With the expiry, makes the current tokens reproducible byte for byte. */
  @Column({ type: 'timestamptz' })
  tokenIssuedAt!: Date;

  @Column({ type: 'timestamptz' })
  tokenExpiresAt!: Date;

  /** When a second factor was last given; null if never. */
  @Column({ type: 'timestamptz', nullable: true })
  raisedAt!: Date | null;

  /** The end of the session, regardless of refreshes; after a second factor, refreshes extend it. */
  @Column({ type: 'timestamptz' })
  expiresAt!: Date;

  @Column({ type: 'timestamptz', nullable: true })
  revokedAt!: Date | null;
}
