import {
  BooleanField,
  EnumField,
  IntegerField,
  ListField,
  NumberField,
  RefField,
  StringField,
  UuidField,
  type EnumValue,
} from '../../common/fields/index.js';
import { PUBLIC_KEY_CREDENTIAL_TYPES, PublicKeyCredentialAnswer } from '../methods/passkey/passkey-answer.dto.js';
import {
  ATTESTATION,
  AuthenticatorSelectionCriteria,
  PasskeyUser,
  PublicKeyCredentialParameters,
} from '../methods/passkey/passkey-options.dto.js';
import { MFA_DEVICE_TYPES } from '../vocabulary/users.js';

export class PublicKeyCredentialRpEntity {
  @StringField({ optional: true })
  id?: string;

  @StringField()
  name!: string;
}

export class PublicKeyCredentialUserEntity extends PasskeyUser {}

export class PublicKeyCredentialDescriptor {
  @StringField()
  id!: string;

  @EnumField(PUBLIC_KEY_CREDENTIAL_TYPES)
  type!: EnumValue<typeof PUBLIC_KEY_CREDENTIAL_TYPES>;
}

export class AuthenticationExtensionsClientInputs {
  @StringField({ optional: true })
  appid?: string;

  @BooleanField({ optional: true })
  credProps?: boolean;

  @BooleanField({ optional: true })
  hmacCreateSecret?: boolean;
}

/** For `navigator.credentials.create` (WebAuthn §5.4). */
export class MfaRegisterPasskeyDeviceGetResponseRegistration {
  @EnumField(ATTESTATION, { optional: true })
  attestation?: EnumValue<typeof ATTESTATION>;

  @RefField(() => PublicKeyCredentialRpEntity)
  rp!: PublicKeyCredentialRpEntity;

  @RefField(() => PublicKeyCredentialUserEntity)
  user!: PublicKeyCredentialUserEntity;

  @StringField({ description: '256 random bits in base64url; single-use, expires after five minutes.' })
  challenge!: string;

  @ListField(() => PublicKeyCredentialParameters)
  pubKeyCredParams!: PublicKeyCredentialParameters[];

  @NumberField({ optional: true, description: 'Milliseconds.' })
  timeout?: number;

  @RefField(() => AuthenticatorSelectionCriteria, { optional: true })
  authenticatorSelection?: AuthenticatorSelectionCriteria;

  @ListField(() => PublicKeyCredentialDescriptor, {
    optional: true,
    description: 'Passkeys of the user that are already second factors.',
  })
  excludeCredentials?: PublicKeyCredentialDescriptor[];

  @RefField(() => AuthenticationExtensionsClientInputs, { optional: true })
  extensions?: AuthenticationExtensionsClientInputs;
}

export class MfaRegisterPasskeyDeviceGetResponse {
  @UuidField({ description: 'The device that is being registered.' })
  id!: string;

  @EnumField(MFA_DEVICE_TYPES)
  type!: EnumValue<typeof MFA_DEVICE_TYPES>;

  @RefField(() => MfaRegisterPasskeyDeviceGetResponseRegistration)
  registration!: MfaRegisterPasskeyDeviceGetResponseRegistration;
}

/** WebAuthn §5.2.1, in base64url. The key is read from the attestation object only. */
export class AuthenticatorAttestationResponse {
  @StringField()
  clientDataJSON!: string;

  @StringField()
  attestationObject!: string;

  @StringField({ optional: true })
  authenticatorData?: string;

  @IntegerField({ optional: true })
  publicKeyAlgorithm?: number;

  @StringField({ optional: true })
  publicKey?: string;
}

/** The result of `navigator.credentials.create`. */
export class PasskeyRegisterVerifyRequest extends PublicKeyCredentialAnswer {
  @RefField(() => AuthenticatorAttestationResponse)
  response!: AuthenticatorAttestationResponse;

  @EnumField(PUBLIC_KEY_CREDENTIAL_TYPES)
  type!: EnumValue<typeof PUBLIC_KEY_CREDENTIAL_TYPES>;
}

export class MfaRegisterPasskeyDevicePostRequest {
  @UuidField({ description: 'The device id returned by registerPasskeyMfaDevice.' })
  id!: string;

  @RefField(() => PasskeyRegisterVerifyRequest)
  attestation!: PasskeyRegisterVerifyRequest;
}
