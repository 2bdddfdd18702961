import { Column, Entity, ForeignKey, Index } from 'typeorm';
import { EnvironmentEntity } from '../../database/index.js';

/** The public half of a passkey that is a second factor, by the id of its device. Nobody signs in with it. */
@Entity('mfa_passkeys')
@ForeignKey('mfa_devices', ['environmentId', 'id'], ['environmentId', 'id'], {
  name: 'mfa_passkeys_device',
  onDelete: 'CASCADE',
})
@Index('mfa_passkeys_credential_id', ['environmentId', 'credentialId'], { unique: true })
export class MfaPasskey extends EnvironmentEntity {
  /** As the authenticator named it, in base64url (WebAuthn §5.8.3). */
  @Column({ type: 'text' })
  credentialId!: string;

  /** A COSE_Key (RFC 9052 §7). */
  @Column({ type: 'bytea' })
  publicKey!: Buffer;

  /** 64 random bytes by which the authenticator knows the user; others than those of passkeys to sign in with. */
  @Column({ type: 'bytea' })
  userHandle!: Buffer;

  @Column({ type: 'text' })
  rpId!: string;

  /** How often the authenticator has signed, where it counts: 32 bits without a sign. */
  @Column({ type: 'bigint' })
  signCount!: string;

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
