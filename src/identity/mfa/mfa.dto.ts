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
  @BooleanField({ description: 'True makes it the default in place of the one that is.' })
  default!: boolean;
}

export class MfaRegisterTotpDeviceGetResponse {
  @UuidField()
  id!: string;

  @EnumField(MFA_DEVICE_TYPES)
  type!: MfaDeviceType;

  @StringField({ description: 'The shared secret in base32. It is shown here and never again.' })
  secret!: string;

  @StringField({ description: 'What an authenticator application reads from a picture: `otpauth://totp/…`.' })
  uri!: string;
}

export class MfaRegisterTotpDevicePostRequest {
  @EnumField(MFA_DEVICE_TYPES, { example: 'totp', description: '`totp`.' })
  type!: MfaDeviceType;

  @StringField({ example: '123456', description: 'What the device shows now.' })
  code!: string;
}

export class MfaAuthRecoveryDevicePostRequest {
  @RefField(() => CreateMfaToken, { optional: true, description: 'Answer an `mfaToken` for an action as well.' })
  createMfaToken?: CreateMfaToken;

  @StringField({ example: 'ABCDEFGHIJKLMNOPQRSTUVWX' })
  code!: string;

  @EnumListField(ELEVATED_SCOPES, {
    optional: true,
    description: 'What the proof is to be good for besides. A recovery code is good for nothing besides.',
  })
  requestedScopes?: ElevatedScope[];
}

export class MfaAuthTotpDevicePostRequest {
  @UuidField({ optional: true, description: 'The default device when absent.' })
  id?: string;

  @RefField(() => CreateMfaToken, { optional: true, description: 'Answer an `mfaToken` for an action as well.' })
  createMfaToken?: CreateMfaToken;

  @StringField({ example: '123456' })
  code!: string;

  @EnumListField(ELEVATED_SCOPES, {
    optional: true,
    description: 'What the proof is to be good for besides: the answer then has an `elevatedAccessToken`.',
  })
  requestedScopes?: ElevatedScope[];
}

export class EmailVerificationMfaRequest {
  @UuidField({ description: 'What createEmailVerification answered.' })
  verificationUUID!: string;

  @StringField({ pattern: /^[0-9]{6}$/, description: 'The six digits of the newest message.' })
  verificationToken!: string;

  @RefField(() => CreateMfaToken, { optional: true, description: 'Answer an `mfaToken` for an action as well.' })
  createMfaToken?: CreateMfaToken;

  @EnumListField(ELEVATED_SCOPES, {
    optional: true,
    description: 'What the proof is to be good for besides: the answer then has an `elevatedAccessToken`.',
  })
  requestedScopes?: ElevatedScope[];
}

export class MfaGetRecoveryCodesResponse {
  @IntegerField({ description: 'Codes that have not been used.' })
  count!: number;

  @StringListField({ description: 'The codes, when this call made them; they are shown once.' })
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

  @ListField(() => UserPasskey, { description: 'Passkeys that are second factors, by the ids of their devices.' })
  passkeys!: UserPasskey[];

  @BooleanField()
  userHasVerifiedMfaMethods!: boolean;
}

export class MfaMethodsQuery {
  @QueryBoolean({ optional: true, description: 'False also lists a device that is still being registered.' })
  verifiedOnly?: boolean;
}
