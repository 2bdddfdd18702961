import { ELEVATED_SCOPES, type ElevatedScope } from '../../auth/index.js';
import {
  BooleanField,
  EnumField,
  EnumListField,
  IntegerField,
  ListField,
  RefField,
  StringField,
  StringListField,
  UuidField,
  type EnumValue,
} from '../../common/fields/index.js';
import { QueryBoolean } from '../../common/fields/query-fields.js';
import { CreateMfaToken } from '../flows/step-up/create-mfa-token.dto.js';
import { MfaDevice } from '../users/user-parts.dto.js';
import { UserPasskey } from '../users/user-passkey.dto.js';
import { MFA_DEVICE_TYPES } from '../vocabulary/users.js';

type MfaDeviceType = EnumValue<typeof MFA_DEVICE_TYPES>;

export class MfaListDevicesResponse {
  @IntegerField()
  count!: number;

  @ListField(() => MfaDevice)
  devices!: MfaDevice[];
}

export class MfaUpdateDeviceRequest {
  @BooleanField({ description: 'True makes it the default in place of the current one.' })
  default!: boolean;
}

export class MfaRegisterTotpDeviceGetResponse {
  @UuidField()
  id!: string;

  @EnumField(MFA_DEVICE_TYPES)
  type!: MfaDeviceType;

  @StringField({ description: 'The shared secret in base32. It is shown only here.' })
  secret!: string;

  @StringField({ description: 'Content of the QR code for authenticator apps: `otpauth://totp/…`.' })
  uri!: string;
}

export class MfaRegisterTotpDevicePostRequest {
  @EnumField(MFA_DEVICE_TYPES, { example: 'totp', description: '`totp`.' })
  type!: MfaDeviceType;

  @StringField({ example: '123456', description: 'The code that the device currently shows.' })
  code!: string;
}

export class MfaAuthRecoveryDevicePostRequest {
  @RefField(() => CreateMfaToken, { optional: true, description: 'Also return an `mfaToken` for an action.' })
  createMfaToken?: CreateMfaToken;

  @StringField({ example: 'ABCDEFGHIJKLMNOPQRSTUVWX' })
  code!: string;

  @EnumListField(ELEVATED_SCOPES, {
    optional: true,
    description: 'Additional scopes for the proof. A recovery code grants none.',
  })
  requestedScopes?: ElevatedScope[];
}

export class MfaAuthTotpDevicePostRequest {
  @UuidField({ optional: true, description: 'Defaults to the default device.' })
  id?: string;

  @RefField(() => CreateMfaToken, { optional: true, description: 'Also return an `mfaToken` for an action.' })
  createMfaToken?: CreateMfaToken;

  @StringField({ example: '123456' })
  code!: string;

  @EnumListField(ELEVATED_SCOPES, {
    optional: true,
    description: 'Additional scopes for the proof: the answer then contains an `elevatedAccessToken`.',
  })
  requestedScopes?: ElevatedScope[];
}

export class EmailVerificationMfaRequest {
  @UuidField({ description: 'The id returned by createEmailVerification.' })
  verificationUUID!: string;

  @StringField({ pattern: /^[0-9]{6}$/, description: 'The six digits of the newest message.' })
  verificationToken!: string;

  @RefField(() => CreateMfaToken, { optional: true, description: 'Also return an `mfaToken` for an action.' })
  createMfaToken?: CreateMfaToken;

  @EnumListField(ELEVATED_SCOPES, {
    optional: true,
    description: 'Additional scopes for the proof: the answer then contains an `elevatedAccessToken`.',
  })
  requestedScopes?: ElevatedScope[];
}

export class MfaGetRecoveryCodesResponse {
  @IntegerField({ description: 'Number of unused codes.' })
  count!: number;

  @StringListField({ description: 'The codes, if this call created them; they are shown once.' })
  recoveryCodes!: string[];
}

export class MfaRegenRecoveryCodesResponse {
  @IntegerField()
  count!: number;

  @StringListField({ description: 'Shown once.' })
  recoveryCodes!: string[];
}

export class MfaMethodsResponse {
  @ListField(() => MfaDevice)
  devices!: MfaDevice[];

  @ListField(() => UserPasskey, {
    description: 'Passkeys accepted as second factors: those registered as one, by device id, and those for sign-in.',
  })
  passkeys!: UserPasskey[];

  @BooleanField()
  userHasVerifiedMfaMethods!: boolean;
}

export class MfaMethodsQuery {
  @QueryBoolean({ optional: true, description: 'False includes devices whose registration is not complete.' })
  verifiedOnly?: boolean;
}
