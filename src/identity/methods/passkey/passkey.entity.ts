import { Column, Entity, ForeignKey, Index } from 'typeorm';
import { WebAuthnCredential } from './webauthn-credential.entity.js';

/**
 * A passkey for sign-in. Its id is that of the user's credential, whose row determines the owner and takes the passkey
 * with it when deleted. The passkey is written first, so that the loser of a race has changed nothing; hence the
 * deferred constraint.
 */
@Entity('passkeys')
@ForeignKey('credentials', ['environmentId', 'id'], ['environmentId', 'id'], {
  name: 'passkeys_credential',
  onDelete: 'CASCADE',
  deferrable: 'INITIALLY DEFERRED',
})
@Index('passkeys_credential_id', ['environmentId', 'credentialId'], { unique: true })
export class Passkey extends WebAuthnCredential {
  @Column({ type: 'boolean' })
  backedUp!: boolean;

  @Column({ type: 'text', array: true })
  transports!: string[];

  /** The authenticator model; all zeros if not disclosed. */
  @Column({ type: 'uuid' })
  aaguid!: string;

  @Column({ type: 'text', nullable: true })
  alias!: string | null;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  updatedAt!: Date;
}
