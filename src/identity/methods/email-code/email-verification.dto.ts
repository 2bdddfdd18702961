import { EmailField, StringField, UuidField } from '../../../common/fields/index.js';
import { CodeReturnRequest } from '../../codes/code.dto.js';
import { CAPTCHA } from '../../flows/sign-in.dto.js';

export class EmailVerificationCreateRequest {
  @EmailField()
  email!: string;

  @StringField({ optional: true, description: CAPTCHA })
  captchaToken?: string;
}

export class EmailVerificationRetryRequest extends EmailVerificationCreateRequest {
  @UuidField({ description: 'The verification to send another code for.' })
  verificationUUID!: string;
}

export class EmailVerificationVerifyRequest extends CodeReturnRequest {}
