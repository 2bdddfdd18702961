import {
  defineEnum,
  EnumListField,
  RefField,
  StringField,
  UuidField,
  type EnumValue,
} from '../../common/fields/index.js';
import { KeyvaultSignedRequest } from '../requests/key-request.dto.js';

export const AUTHENTICATOR_TRANSPORTS = defineEnum('AuthenticatorTransportProtocol', [
  'AUTHENTICATOR_TRANSPORT_INTERNAL',
  'AUTHENTICATOR_TRANSPORT_USB',
  'AUTHENTICATOR_TRANSPORT_NFC',
  'AUTHENTICATOR_TRANSPORT_BLE',
  'AUTHENTICATOR_TRANSPORT_HYBRID',
]);

const TARGET_KEY =
  'a public key that the client generated for this call only: an uncompressed P-256 point (65 bytes) or an X25519 key (32 bytes), in hexadecimal.';
const TARGET_EXAMPLE = 'de9edb7d7b7dc1b4d35b61c2ece435373f8343c85b78674dadfc7e146f882b4f';

export class UpdateRecoveryEmailRequest {
  @RefField(() => KeyvaultSignedRequest, {
    nullable: true,
    description: 'Null to use the address of the account again.',
  })
  keyvaultSignedRequest!: KeyvaultSignedRequest | null;
}

export class InitEmailAuthRequest {
  @UuidField({ description: 'An embedded wallet of the caller.' })
  walletId!: string;

  @StringField({ description: `Recipient of the sealed session key: ${TARGET_KEY}`, example: TARGET_EXAMPLE })
  keyvaultEmailAuthTargetPublicKey!: string;
}

export class InitEmailAuthResponse {
  @UuidField({ description: "The user's id at the signer." })
  keyvaultUserId!: string;

  @UuidField({ description: 'Identifies the session key in the `info` that opens the emailed text.' })
  keyvaultApiKeyId!: string;
}

export class InitPasskeyRecoveryRequest {
  @UuidField({ description: 'An embedded wallet of the caller.' })
  walletId!: string;

  @StringField({
    nullable: true,
    description: `Null for a code in plain text. Otherwise the recipient of the sealed code: ${TARGET_KEY}`,
    example: TARGET_EXAMPLE,
  })
  keyvaultRecoveryTargetPublicKey!: string | null;
}

export class InitPasskeyRecoveryResponse {
  @UuidField({ description: 'Identifies the recovery in the `info` that opens a sealed code.' })
  keyvaultRecoveryUserId!: string;
}

/** The response of `navigator.credentials.create` (WebAuthn §5.2.1), in base64url. */
export class PasskeyRegistrationCredential {
  @StringField()
  attestationObject!: string;

  @StringField()
  clientDataJson!: string;

  @StringField()
  credentialId!: string;

  @EnumListField(AUTHENTICATOR_TRANSPORTS)
  transports!: EnumValue<typeof AUTHENTICATOR_TRANSPORTS>[];

  @StringField({ optional: true, description: 'Not used: the key is read from the attestation object.' })
  publicKey?: string;
}

export class CompletePasskeyRecoveryRequest {
  @UuidField({ description: 'The wallet that the recovery was started for.' })
  walletId!: string;

  @RefField(() => PasskeyRegistrationCredential)
  attestation!: PasskeyRegistrationCredential;

  @StringField({ description: 'The emailed code, which was the challenge of the new passkey.' })
  challenge!: string;

  @StringField({ optional: true, description: "The token from the environment's captcha, if it has one." })
  captchaToken?: string;
}
