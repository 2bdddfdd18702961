import { Column } from 'typeorm';
import { EnvironmentEntity } from '../../../database/index.js';

/** The public half of a key pair that an authenticator keeps, whatever it is for. */
export abstract class WebAuthnCredential extends EnvironmentEntity {
  /** As the authenticator named it, in base64url (WebAuthn §5.8.3). */
  @Column({ type: 'text' })
  credentialId!: string;

  /** A COSE_Key (RFC 9052 §7). */
  @Column({ type: 'bytea' })
  publicKey!: Buffer;

  /**
   * 64 random bytes by which authenticators know the user (WebAuthn §14.6.1): the same in all passkeys that a user signs
   * in with, and others in those that are second factors.
   */
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

  /** The site on which it was made. */
  @Column({ type: 'text' })
  origin!: string;

  @Column({ type: 'text', nullable: true })
  userAgent!: string | null;

  @Column({ type: 'timestamptz', nullable: true })
  lastUsedAt!: Date | null;
}
