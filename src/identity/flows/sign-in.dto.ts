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

/** The description of `captchaToken`, wherever it occurs. */
export const CAPTCHA = 'Ignored if the environment has no captcha.';

/** The description of `sessionPublicKey`, wherever it occurs. */
export const SESSION_PUBLIC_KEY =
  'A public key of the client, repeated in the tokens of the session that a sign-in begins. Ignored for a user who is signed in: a session keeps its key.';

/** The user who signed in, and the session's tokens. In cookie mode the tokens are in the cookie only. */
export class VerifyResponse {
  @StringField({
    optional: true,
    description:
      'Stands for a second factor that was given with `createMfaToken`: send it in `x-mfa-auth-token`. Absent otherwise.',
  })
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
    description: 'For `x-elevated-access-token`, if the call had `requestedScopes`; valid for five minutes.',
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
  @UuidField({ description: 'Identifies the verification when the code is submitted.' })
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

/** A sign-in response with the view the application should show next. */
export class UpdateSelfResponse extends VerifyResponse {
  @EnumField(NEXT_VIEWS)
  nextView!: EnumValue<typeof NEXT_VIEWS>;

  @RefField(() => EmailVerificationCreateResponse, {
    optional: true,
    description: 'The verification that was started.',
  })
  emailVerification?: EmailVerificationCreateResponse;

  @RefField(() => SmsVerificationCreateResponse, { optional: true })
  smsVerification?: SmsVerificationCreateResponse;
}
