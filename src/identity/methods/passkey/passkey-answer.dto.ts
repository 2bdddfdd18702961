import { ELEVATED_SCOPES, type ElevatedScope } from '../../../auth/index.js';
import {
  BooleanField,
  defineEnum,
  EnumField,
  EnumListField,
  JsonField,
  RefField,
  StringField,
  type EnumValue,
} from '../../../common/fields/index.js';
import { CreateMfaToken } from '../../flows/step-up/create-mfa-token.dto.js';
import { CAPTCHA } from '../../flows/sign-in.dto.js';

export const PASSKEY_TRANSPORTS = defineEnum('PasskeyTransport', ['usb', 'nfc', 'ble', 'internal', 'hybrid']);
export type PasskeyTransport = EnumValue<typeof PASSKEY_TRANSPORTS>;
export const AUTHENTICATOR_ATTACHMENTS = defineEnum('AuthenticatorAttachment', ['cross-platform', 'platform']);
export const PASSKEY_CREDENTIAL_TYPES = defineEnum('PasskeyCredentialType', ['public-key']);
export const PUBLIC_KEY_CREDENTIAL_TYPES = defineEnum('PublicKeyCredentialType', ['public-key']);

/** Client extension outputs; nothing here depends on them. */
export class AuthenticationExtensionsClientOutputs {
  @BooleanField({ optional: true })
  appid?: boolean;

  @JsonField({ optional: true, maxBytes: 1_024 })
  credProps?: Record<string, unknown>;

  @BooleanField({ optional: true })
  hmacCreateSecret?: boolean;
}

/** WebAuthn §5.2.2, each field in base64url. */
export class AuthenticatorAssertionResponse {
  @StringField()
  clientDataJSON!: string;

  @StringField()
  authenticatorData!: string;

  @StringField()
  signature!: string;

  @StringField({ optional: true })
  userHandle?: string;
}

/** A browser's answer with a passkey, for any ceremony (WebAuthn §5.1, `toJSON`). */
export abstract class PublicKeyCredentialAnswer {
  @StringField()
  id!: string;

  @StringField()
  rawId!: string;

  @EnumField(AUTHENTICATOR_ATTACHMENTS, { optional: true })
  authenticatorAttachment?: EnumValue<typeof AUTHENTICATOR_ATTACHMENTS>;

  @RefField(() => AuthenticationExtensionsClientOutputs)
  clientExtensionResults!: AuthenticationExtensionsClientOutputs;
}

/** The result of `navigator.credentials.get`. */
export class PasskeyAuthRequest extends PublicKeyCredentialAnswer {
  @RefField(() => AuthenticatorAssertionResponse)
  response!: AuthenticatorAssertionResponse;

  @EnumField(PUBLIC_KEY_CREDENTIAL_TYPES)
  type!: EnumValue<typeof PUBLIC_KEY_CREDENTIAL_TYPES>;

  @RefField(() => CreateMfaToken, { optional: true, description: 'For a second factor; refused at sign-in.' })
  createMfaToken?: CreateMfaToken;

  @EnumListField(ELEVATED_SCOPES, {
    optional: true,
    description: 'Additional scopes for the proof: the answer then contains an `elevatedAccessToken`.',
  })
  requestedScopes?: ElevatedScope[];

  @StringField({ optional: true, description: CAPTCHA })
  captchaToken?: string;
}

/** WebAuthn §5.2.1, in base64url. The key is read from the attestation object only. */
export class PasskeyRegistrationCredentialV2 {
  @StringField()
  attestationObject!: string;

  @StringField()
  clientDataJson!: string;

  @EnumListField(PASSKEY_TRANSPORTS, { optional: true })
  transports?: PasskeyTransport[];

  @StringField({ optional: true })
  publicKey?: string;
}

/** The result of `navigator.credentials.create`. */
export class PasskeyRegisterRequest extends PublicKeyCredentialAnswer {
  @RefField(() => PasskeyRegistrationCredentialV2)
  response!: PasskeyRegistrationCredentialV2;

  @EnumField(PASSKEY_CREDENTIAL_TYPES)
  type!: EnumValue<typeof PASSKEY_CREDENTIAL_TYPES>;

  @RefField(() => CreateMfaToken, {
    optional: true,
    description: 'Gives the passkey as a second factor as well: the answer then contains an `mfaToken`.',
  })
  createMfaToken?: CreateMfaToken;

  @StringField({ optional: true, description: CAPTCHA })
  captchaToken?: string;
}
