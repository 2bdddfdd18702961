import { StringField, UuidField } from '../../../common/fields/index.js';
import { CodeReturnRequest } from '../../codes/code.dto.js';
import { CAPTCHA } from '../../flows/sign-in.dto.js';

export class SmsVerificationCreateRequest {
  @StringField({ min: 1, max: 255, description: 'International dialling code, with or without a plus sign.' })
  phoneCountryCode!: string;

  @StringField({ min: 1, max: 255, description: 'The national number.' })
  phoneNumber!: string;

  @StringField({ max: 4, pattern: /^[a-zA-Z]{2,4}\d?$/, description: 'ISO 3166-1 alpha-2.' })
  isoCountryCode!: string;

  @StringField({ optional: true, description: CAPTCHA })
  captchaToken?: string;
}

export class SmsVerificationRetryRequest extends SmsVerificationCreateRequest {
  @UuidField({ description: 'The verification to send another code for.' })
  verificationUUID!: string;
}

export class SmsVerificationVerifyRequest extends CodeReturnRequest {}
