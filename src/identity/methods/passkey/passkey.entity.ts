import { Column, Entity, ForeignKey, Index } from 'typeorm';
import { EnvironmentEntity } from '../../../database/index.js';

/**
 * A passkey: the public half of a key pair that an authenticator keeps. Its id is that of the user's credential, whose
 * row says whose it is, and it goes with that row. It is written first, so that the loser of a race has changed nothing;
 * hence the deferred constraint.
 */
@Entity('passkeys')
@ForeignKey('credentials', ['environmentId', 'id'], ['environmentId', 'id'], {
  name: 'passkeys_credential',
  onDelete: 'CASCADE',
  deferrable: 'INITIALLY DEFERRED',
})
@Index('passkeys_credential_id', ['environmentId', 'credentialId'], { unique: true })
export class Passkey extends EnvironmentEntity {
  /** As the authenticator named it, in base64url (WebAuthn §5.8.3). */
  @Column({ type: 'text' })
  credentialId!: string;

  /** A COSE_Key (RFC 9052 §7). */
  @Column({ type: 'bytea' })
  publicKey!: Buffer;

  /** 64 random bytes by which authenticators know the user (WebAuthn §14.6.1); the same in all passkeys of a user. */
  @Column({ type: 'bytea' })
  userHandle!: Buffer;

  /** The domain it is good for. */
  @Column({ type: 'text' })
  rpId!: string;

  /** How often the authenticator has signed, where it counts: 32 bits without a sign. */
  @Column({ type: 'bigint' })
  signCount!: string;

  /** Whether it may be copied to other devices. Fixed when it is made (WebAuthn §6.1.3). */
  @Column({ type: 'boolean' })
  backupEligible!: boolean;

  @Column({ type: 'boolean' })
  backedUp!: boolean;

  @Column({ type: 'text', array: true })
  transports!: string[];

  /** The model of the authenticator; zeros where it does not say. */
  @Column({ type: 'uuid' })
  aaguid!: string;

  /** The site on which it was made. */
  @Column({ type: 'text' })
  origin!: string;

  @Column({ type: 'text', nullable: true })
  userAgent!: string | null;

  @Column({ type: 'text', nullable: true })
  alias!: string | null;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  updatedAt!: Date;

  @Column({ type: 'timestamptz', nullable: true })
  lastUsedAt!: Date | null;
}
