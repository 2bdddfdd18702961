import { Injectable } from '@nestjs/common';
import type { ClientOrigin } from '../../../auth/index.js';
import type { EnvironmentId } from '../../../database/index.js';
import { CodeSignIn } from '../../codes/code-sign-in.service.js';
import { CodeVerifications } from '../../codes/code-verifications.js';
import type { EmailVerificationCreateResponse } from '../../flows/sign-in.dto.js';
import { EmailCodeMethod } from './email-code.method.js';
import type { EmailVerificationCreateRequest, EmailVerificationRetryRequest } from './email-verification.dto.js';

/** The client API of codes by email. Responses repeat the address as entered. */
@Injectable()
export class EmailVerifications extends CodeVerifications {
  constructor(method: EmailCodeMethod, codes: CodeSignIn) {
    super(method, codes);
  }

  async start(
    environmentId: EnvironmentId,
    { email, captchaToken }: EmailVerificationCreateRequest,
    client: ClientOrigin,
  ): Promise<EmailVerificationCreateResponse> {
    const request = { address: email, captchaToken };
    return { verificationUUID: await this.codes.start(environmentId, this.method, request, client), email };
  }

  async restart(
    environmentId: EnvironmentId,
    { verificationUUID: id, email, captchaToken }: EmailVerificationRetryRequest,
    client: ClientOrigin,
  ): Promise<EmailVerificationCreateResponse> {
    const request = { address: email, captchaToken };
    return { verificationUUID: await this.codes.restart(environmentId, this.method, id, request, client), email };
  }
}
