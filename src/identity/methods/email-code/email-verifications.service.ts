import { Injectable } from '@nestjs/common';
import type { ClientOrigin, EndUserPrincipal } from '../../../auth/index.js';
import type { EnvironmentId } from '../../../database/index.js';
import { CodeSignIn } from '../../codes/code-sign-in.service.js';
import type { ProfileAnswer } from '../../flows/profile/contact-check.js';
import type { EmailVerificationCreateResponse } from '../../flows/sign-in.dto.js';
import type { SignedIn } from '../../sessions/signed-in.js';
import type { FullUser } from '../../users/full-user.js';
import { EmailCodeMethod } from './email-code.method.js';
import type {
  EmailVerificationCreateRequest,
  EmailVerificationRetryRequest,
  EmailVerificationVerifyRequest,
} from './email-verification.dto.js';

/** Codes by email as clients know them. Answers repeat the address as it was given. */
@Injectable()
export class EmailVerifications {
  constructor(
    private readonly method: EmailCodeMethod,
    private readonly codes: CodeSignIn,
  ) {}

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

  signIn(
    environmentId: EnvironmentId,
    body: EmailVerificationVerifyRequest,
    client: ClientOrigin,
  ): Promise<SignedIn<FullUser>> {
    return this.codes.signIn(environmentId, this.method, body, client);
  }

  link(
    environmentId: EnvironmentId,
    caller: EndUserPrincipal,
    body: EmailVerificationVerifyRequest,
    client: ClientOrigin,
  ): Promise<ProfileAnswer> {
    return this.codes.link(environmentId, caller, this.method, body, client);
  }
}
