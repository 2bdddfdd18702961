import {
  BooleanField,
  defineEnum,
  EnumField,
  EnumListField,
  IntegerField,
  ListField,
  NumberField,
  RefField,
  StringField,
  StringListField,
  type EnumValue,
} from '../../../common/fields/index.js';
import {
  AUTHENTICATOR_ATTACHMENTS,
  PASSKEY_CREDENTIAL_TYPES,
  PASSKEY_TRANSPORTS,
  PUBLIC_KEY_CREDENTIAL_TYPES,
  type PasskeyTransport,
} from './passkey-answer.dto.js';

const REQUIREMENTS = ['discouraged', 'preferred', 'required'] as const;
export const USER_VERIFICATION = defineEnum('UserVerificationRequirement', REQUIREMENTS);
export const RESIDENT_KEY = defineEnum('ResidentKeyRequirement', REQUIREMENTS);
export const ATTESTATION = defineEnum('AttestationConveyancePreference', ['direct', 'enterprise', 'indirect', 'none']);
export const CREDENTIAL_HINTS = defineEnum('PasskeyCredentialHint', ['hybrid', 'security-key', 'client-device']);

export class RelatedOriginQuery {
  @StringField({
    optional: true,
    description:
      'The domain of another site of the environment whose passkeys are wanted. That site must list the calling one in its `/.well-known/webauthn`.',
  })
  relatedOriginRpId?: string;
}

export class PasskeyExtension {
  @StringField({ optional: true })
  appid?: string;

  @StringField({ optional: true })
  appidExclude?: string;

  @BooleanField({ optional: true })
  credProps?: boolean;

  @BooleanField({ optional: true })
  uvm?: boolean;
}

/** Of WebAuthn §5.8.3: browsers and their libraries take no descriptor without a type. */
export class PasskeyAllowCredential {
  @StringField()
  id!: string;

  @EnumField(PASSKEY_CREDENTIAL_TYPES)
  type!: EnumValue<typeof PASSKEY_CREDENTIAL_TYPES>;

  @EnumListField(PASSKEY_TRANSPORTS, { optional: true })
  transports?: PasskeyTransport[];
}

/** For `navigator.credentials.get` (WebAuthn §5.5). */
export class GetPasskeyAuthenticationOptionsResponse {
  @StringField({ description: '256 random bits in base64url; single-use, expires after five minutes.' })
  challenge!: string;

  @NumberField({ optional: true, description: 'Milliseconds.' })
  timeout?: number;

  @StringField({ optional: true })
  rpId?: string;

  @EnumField(USER_VERIFICATION, { optional: true })
  userVerification?: EnumValue<typeof USER_VERIFICATION>;

  @ListField(() => PasskeyAllowCredential, {
    optional: true,
    description: 'Empty if any passkey may be chosen, as in form autofill (conditional mediation).',
  })
  allowCredentials?: PasskeyAllowCredential[];

  @RefField(() => PasskeyExtension, { optional: true })
  extensions?: PasskeyExtension;

  @EnumField(CREDENTIAL_HINTS, { optional: true })
  hints?: EnumValue<typeof CREDENTIAL_HINTS>;
}

export class AuthenticatorSelectionCriteria {
  @EnumField(AUTHENTICATOR_ATTACHMENTS, { optional: true })
  authenticatorAttachment?: EnumValue<typeof AUTHENTICATOR_ATTACHMENTS>;

  @BooleanField({ optional: true })
  requireResidentKey?: boolean;

  @EnumField(RESIDENT_KEY, { optional: true })
  residentKey?: EnumValue<typeof RESIDENT_KEY>;

  @EnumField(USER_VERIFICATION, { optional: true })
  userVerification?: EnumValue<typeof USER_VERIFICATION>;
}

export class PasskeyExcludeCredential extends PasskeyAllowCredential {}

export class PublicKeyCredentialParameters {
  @IntegerField({ description: 'A COSE algorithm (RFC 9053).' })
  alg!: number;

  @EnumField(PUBLIC_KEY_CREDENTIAL_TYPES)
  type!: EnumValue<typeof PUBLIC_KEY_CREDENTIAL_TYPES>;
}

export class PasskeyRelyingParty {
  @StringField()
  id!: string;

  @StringField()
  name!: string;
}

export class PasskeyUser {
  @StringField()
  displayName!: string;

  @StringField({ description: '64 random bytes in base64url, which reveal nothing about the user.' })
  id!: string;

  @StringField()
  name!: string;
}

/** For `navigator.credentials.create` (WebAuthn §5.4). */
export class GetPasskeyRegistrationOptionsResponse {
  @EnumField(ATTESTATION)
  attestation!: EnumValue<typeof ATTESTATION>;

  @RefField(() => AuthenticatorSelectionCriteria)
  authenticatorSelection!: AuthenticatorSelectionCriteria;

  @StringField({ description: '256 random bits in base64url; single-use, expires after five minutes.' })
  challenge!: string;

  @ListField(() => PasskeyExcludeCredential, { description: "The user's existing passkeys." })
  excludeCredentials!: PasskeyExcludeCredential[];

  @RefField(() => PasskeyExtension, { optional: true })
  extensions?: PasskeyExtension;

  @StringListField({ optional: true })
  hints?: string[];

  @ListField(() => PublicKeyCredentialParameters)
  pubKeyCredParams!: PublicKeyCredentialParameters[];

  @RefField(() => PasskeyRelyingParty)
  rp!: PasskeyRelyingParty;

  @NumberField({ description: 'Milliseconds.' })
  timeout!: number;

  @RefField(() => PasskeyUser)
  user!: PasskeyUser;
}
