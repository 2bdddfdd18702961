import { Injectable } from '@nestjs/common';
import type { ClientOrigin, EndUserPrincipal } from '../../../auth/index.js';
import type { EnvironmentId } from '../../../database/index.js';
import { Captcha } from '../../flows/captcha.js';
import type { ProfileAnswer } from '../../flows/contact-check.js';
import { LinkFlow } from '../../flows/link.flow.js';
import { SignInFlow } from '../../flows/sign-in.flow.js';
import type { SignedIn } from '../../sessions/signed-in.js';
import type { FullUser } from '../../users/full-user.js';
import { EmailCodeMethod } from './email-code.method.js';
import { EmailCodes, type StartedVerification } from './email-codes.service.js';
import type {
  EmailVerificationCreateRequest,
  EmailVerificationRetryRequest,
  EmailVerificationVerifyRequest,
} from './email-verification.dto.js';

/** What clients ask of email codes: to be sent one, to sign in with it, or to tie its address to who is signed in. */
@Injectable()
export class EmailCodeSignIn {
  constructor(
    private readonly method: EmailCodeMethod,
    private readonly codes: EmailCodes,
    private readonly captcha: Captcha,
    private readonly signIns: SignInFlow,
    private readonly links: LinkFlow,
  ) {}

  async start(
    environmentId: EnvironmentId,
    { email, captchaToken }: EmailVerificationCreateRequest,
    client: ClientOrigin,
  ): Promise<StartedVerification> {
    await this.captcha.assertPassed(environmentId, captchaToken, client);
    return this.codes.start(environmentId, email);
  }

  async restart(
    environmentId: EnvironmentId,
    { verificationUUID, email, captchaToken }: EmailVerificationRetryRequest,
    client: ClientOrigin,
  ): Promise<StartedVerification> {
    await this.captcha.assertPassed(environmentId, captchaToken, client);
    return this.codes.restart(environmentId, verificationUUID, email);
  }

  signIn(
    environmentId: EnvironmentId,
    { captchaToken, sessionPublicKey, requestedScopes, ...answer }: EmailVerificationVerifyRequest,
    client: ClientOrigin,
  ): Promise<SignedIn<FullUser>> {
    const options = { client, captchaToken, sessionPublicKey, requestedScopes };
    return this.signIns.complete(environmentId, this.method, answer, options);
  }

  link(
    environmentId: EnvironmentId,
    caller: EndUserPrincipal,
    { captchaToken, requestedScopes, ...answer }: EmailVerificationVerifyRequest,
    client: ClientOrigin,
  ): Promise<ProfileAnswer> {
    return this.links.complete(environmentId, caller, this.method, answer, { client, captchaToken, requestedScopes });
  }
}
