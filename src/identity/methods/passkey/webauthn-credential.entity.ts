import { Column } from 'typeorm';
import { EnvironmentEntity } from '../../../database/index.js';

/** The public key of an authenticator's key pair, whatever its purpose. */
export abstract class WebAuthnCredential extends EnvironmentEntity {
  /** The credential id from the authenticator, in base64url (WebAuthn §5.8.3). */
  @Column({ type: 'text' })
  credentialId!: string;

  /** A COSE_Key (RFC 9052 §7). */
  @Column({ type: 'bytea' })
  publicKey!: Buffer;

  /**
   * The user handle, 64 random bytes (WebAuthn §14.6.1): shared by all of a user's sign-in passkeys, different for
   * those that are second factors.
   */
  @Column({ type: 'bytea' })
  userHandle!: Buffer;

  /** The domain it is valid for. */
  @Column({ type: 'text' })
  rpId!: string;

  /** The authenticator's signature counter, if it has one: unsigned 32 bits. */
  @Column({ type: 'bigint' })
  signCount!: string;

  /** Whether it may be copied to other devices. Fixed at creation (WebAuthn §6.1.3). */
  @Column({ type: 'boolean' })
  backupEligible!: boolean;

  /** The site where it was created. */
  @Column({ type: 'text' })
  origin!: string;

  @Column({ type: 'text', nullable: true })
  userAgent!: string | null;

  @Column({ type: 'timestamptz', nullable: true })
  lastUsedAt!: Date | null;
}
