import { Injectable } from '@nestjs/common';
import type { ClientOrigin, EndUserPrincipal } from '../../../auth/index.js';
import type { EnvironmentId } from '../../../database/index.js';
import { CodeSignIn, type CodeRequest } from '../../codes/code-sign-in.service.js';
import { invalidPhone } from '../../credentials/identifier.errors.js';
import { normalisePhone } from '../../credentials/identifiers.js';
import type { ProfileAnswer } from '../../flows/profile/contact-check.js';
import type { SmsVerificationCreateResponse } from '../../flows/sign-in.dto.js';
import type { SignedIn } from '../../sessions/signed-in.js';
import type { FullUser } from '../../users/full-user.js';
import { SmsCodeMethod } from './sms-code.method.js';
import type {
  SmsVerificationCreateRequest,
  SmsVerificationRetryRequest,
  SmsVerificationVerifyRequest,
} from './sms-verification.dto.js';

/** Codes by text message as clients know them. Answers repeat the number as it was given. */
@Injectable()
export class SmsVerifications {
  constructor(
    private readonly method: SmsCodeMethod,
    private readonly codes: CodeSignIn,
  ) {}

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

  signIn(
    environmentId: EnvironmentId,
    body: SmsVerificationVerifyRequest,
    client: ClientOrigin,
  ): Promise<SignedIn<FullUser>> {
    return this.codes.signIn(environmentId, this.method, body, client);
  }

  link(
    environmentId: EnvironmentId,
    caller: EndUserPrincipal,
    body: SmsVerificationVerifyRequest,
    client: ClientOrigin,
  ): Promise<ProfileAnswer> {
    return this.codes.link(environmentId, caller, this.method, body, client);
  }
}

/** The three parts have to agree on the dialling code, so that no part speaks for a number of elsewhere. */
function requestOf({ phoneNumber, captchaToken, ...country }: SmsVerificationCreateRequest): CodeRequest {
  const phone = normalisePhone(phoneNumber, country);
  if (!phone || phone.countryCode !== country.phoneCountryCode.replace(/\D/g, '')) throw invalidPhone();
  return { address: phone.e164, captchaToken };
}
