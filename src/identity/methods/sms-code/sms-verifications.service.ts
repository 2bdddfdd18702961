import { Injectable } from '@nestjs/common';
import type { ClientOrigin } from '../../../auth/index.js';
import type { EnvironmentId } from '../../../database/index.js';
import { CodeSignIn, type CodeRequest } from '../../codes/code-sign-in.service.js';
import { CodeVerifications } from '../../codes/code-verifications.js';
import { invalidPhone } from '../../credentials/identifier.errors.js';
import { normalisePhone } from '../../credentials/identifiers.js';
import type { SmsVerificationCreateResponse } from '../../flows/sign-in.dto.js';
import { SmsCodeMethod } from './sms-code.method.js';
import type { SmsVerificationCreateRequest, SmsVerificationRetryRequest } from './sms-verification.dto.js';

/** The client API of codes by text message. Responses repeat the number as entered. */
@Injectable()
export class SmsVerifications extends CodeVerifications {
  constructor(method: SmsCodeMethod, codes: CodeSignIn) {
    super(method, codes);
  }

  async start(
    environmentId: EnvironmentId,
    body: SmsVerificationCreateRequest,
    client: ClientOrigin,
  ): Promise<SmsVerificationCreateResponse> {
    const verificationUUID = await this.codes.start(environmentId, this.method, requestOf(body), client);
    return { ...body, verificationUUID };
  }

  async restart(
    environmentId: EnvironmentId,
    { verificationUUID: id, ...body }: SmsVerificationRetryRequest,
    client: ClientOrigin,
  ): Promise<SmsVerificationCreateResponse> {
    const verificationUUID = await this.codes.restart(environmentId, this.method, id, requestOf(body), client);
    return { ...body, verificationUUID };
  }
}

/** The three parts must agree on the dialling code, so that none of them implies another country. */
function requestOf({ phoneNumber, captchaToken, ...country }: SmsVerificationCreateRequest): CodeRequest {
  const phone = normalisePhone(phoneNumber, country);
  if (!phone || phone.countryCode !== country.phoneCountryCode.replace(/\D/g, '')) throw invalidPhone();
  return { address: phone.e164, captchaToken };
}
