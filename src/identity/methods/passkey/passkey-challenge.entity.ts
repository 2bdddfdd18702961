import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

/**
 * The purpose of a challenge: a new passkey for sign-in, a new one as a second factor, a sign-in by anybody, or a fresh
 * proof by a signed-in user.
 */
export type PasskeyPurpose = 'register' | 'register-factor' | 'sign-in' | 'authenticate';

/** A challenge not answered yet, stored as its hash. */
@Entity('passkey_challenges')
@ForeignKey('environments', ['environmentId'], ['id'], { name: 'passkey_challenges_environment', onDelete: 'CASCADE' })
@ForeignKey('users', ['environmentId', 'userId'], ['environmentId', 'id'], {
  name: 'passkey_challenges_user',
  onDelete: 'CASCADE',
})
@Index('passkey_challenges_expired', ['expiresAt'])
@Index('passkey_challenges_of_user', ['environmentId', 'userId'], { where: 'user_id IS NOT NULL' })
export class PasskeyChallenge {
  @PrimaryColumn({ type: 'uuid' })
  environmentId!: string;

  @PrimaryColumn({ type: 'bytea' })
  challengeHash!: Buffer;

  @Column({ type: 'text' })
  purpose!: PasskeyPurpose;

  /** The user who must answer it; null if anybody may. */
  @Column({ type: 'uuid', nullable: true })
  userId!: string | null;

  /** The domain the answer must be for. */
  @Column({ type: 'text' })
  rpId!: string;

  /** The user handle for a new passkey. */
  @Column({ type: 'bytea', nullable: true })
  userHandle!: Buffer | null;

  @Column({ type: 'timestamptz' })
  expiresAt!: Date;
}
