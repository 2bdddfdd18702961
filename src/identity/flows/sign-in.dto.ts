import {
  EmailField,
  EnumField,
  RefField,
  StringField,
  UuidField,
  defineEnum,
  type EnumValue,
} from '../../common/fields/index.js';
import { SdkUser } from '../users/user.dto.js';

/** Of `captchaToken`, wherever something is protected by one. */
export const CAPTCHA = 'Ignored while the environment asks for no captcha.';

/** Who signed in, and the tokens of the session. In cookie mode the tokens are in the cookie alone. */
export class VerifyResponse {
  @StringField({ optional: true, description: 'For the second factor; absent when none is due.' })
  mfaToken?: string;

  @StringField({ optional: true, description: 'The full token: claims about the user. Absent in cookie mode.' })
  jwt?: string;

  @RefField(() => SdkUser)
  user!: SdkUser;

  @StringField({
    optional: true,
    description: 'The small token, the credential of the session. Absent in cookie mode.',
  })
  minifiedJwt?: string;

  @StringField({ pattern: /^[0-9]+$/, description: 'When the tokens expire, in Unix seconds.' })
  expiresAt!: string;

  @StringField({
    optional: true,
    nullable: true,
    description: 'For `x-elevated-access-token`, if the call sent `requestedScopes`; valid for five minutes.',
  })
  elevatedAccessToken?: string | null;
}

export const NEXT_VIEWS = defineEnum('NextViewEnum', [
  'done',
  'verify-email',
  'verified-and-transferred',
  'verify-sms',
]);

export class EmailVerificationCreateResponse {
  @UuidField({ description: 'Names the verification when its code is sent back.' })
  verificationUUID!: string;

  @EmailField({ max: Infinity })
  email!: string;
}

export class SmsVerificationCreateResponse {
  @UuidField()
  verificationUUID!: string;

  @StringField()
  phoneNumber!: string;

  @StringField()
  phoneCountryCode!: string;

  @StringField()
  isoCountryCode!: string;
}

/** A sign-in answer with what the application should show next. */
export class UpdateSelfResponse extends VerifyResponse {
  @EnumField(NEXT_VIEWS)
  nextView!: EnumValue<typeof NEXT_VIEWS>;

  @RefField(() => EmailVerificationCreateResponse, { optional: true, description: 'The check that has begun.' })
  emailVerification?: EmailVerificationCreateResponse;

  @RefField(() => SmsVerificationCreateResponse, { optional: true })
  smsVerification?: SmsVerificationCreateResponse;
}
