import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

/**
 * What a challenge was made for: a new passkey to sign in with, one that is a second factor, a sign-in by whoever comes,
 * or a new proof of who is signed in.
 */
export type PasskeyPurpose = 'register' | 'register-factor' | 'sign-in' | 'authenticate';

/** A challenge that nobody has come back with yet, by its hash. */
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

  /** Who must answer it; null where anybody may. */
  @Column({ type: 'uuid', nullable: true })
  userId!: string | null;

  /** The domain that the answer must be for. */
  @Column({ type: 'text' })
  rpId!: string;

  /** What a new passkey will know its user by. */
  @Column({ type: 'bytea', nullable: true })
  userHandle!: Buffer | null;

  @Column({ type: 'timestamptz' })
  expiresAt!: Date;
}
