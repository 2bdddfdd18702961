import { Entity, ForeignKey, Index } from 'typeorm';
import { WebAuthnCredential } from '../methods/passkey/webauthn-credential.entity.js';

/** A passkey used as a second factor, by the id of its device. Not usable for sign-in. */
@Entity('mfa_passkeys')
@ForeignKey('mfa_devices', ['environmentId', 'id'], ['environmentId', 'id'], {
  name: 'mfa_passkeys_device',
  onDelete: 'CASCADE',
})
@Index('mfa_passkeys_credential_id', ['environmentId', 'credentialId'], { unique: true })
export class MfaPasskey extends WebAuthnCredential {}
