import { Injectable } from '@nestjs/common';
import type { ClientOrigin, EndUserPrincipal } from '../../../auth/index.js';
import type { EnvironmentId } from '../../../database/index.js';
import type { ProfileAnswer } from '../../flows/profile/contact-check.js';
import { LinkFlow } from '../../flows/link/link.flow.js';
import type { OauthResultRequest } from '../../flows/sign-in/oauth-result.dto.js';
import { SignInFlow } from '../../flows/sign-in/sign-in.flow.js';
import type { SignedIn } from '../../sessions/signed-in.js';
import type { FullUser } from '../../users/full-user.js';
import { OauthAnswers, type OauthAnswer, type OauthResult } from './oauth-answers.service.js';
import { OauthAttempts, type Begun } from './oauth-attempts.service.js';
import { OauthMethod } from './oauth.method.js';
import type { OauthInitAuthRequest, OauthRequest } from './oauth.dto.js';
import { oauthAttemptUnknown } from './oauth.errors.js';

/** The operations that clients call themselves: begin, get the result, sign in with it or link it. */
@Injectable()
export class OauthSignIn {
  constructor(
    private readonly method: OauthMethod,
    private readonly attempts: OauthAttempts,
    private readonly answers: OauthAnswers,
    private readonly signIns: SignInFlow,
    private readonly links: LinkFlow,
  ) {}

  begin(
    environmentId: EnvironmentId,
    provider: string,
    beginning: OauthInitAuthRequest,
    cookies: string | undefined,
  ): Promise<Begun> {
    return this.attempts.begin(environmentId, provider, beginning, cookies);
  }

  async loginUrl(
    environmentId: EnvironmentId,
    provider: string,
    state: string | undefined,
    cookies: string | undefined,
  ): Promise<{ url: string }> {
    return { url: await this.attempts.address(environmentId, provider, state, cookies) };
  }

  result(
    environmentId: EnvironmentId,
    provider: string,
    { state }: OauthResultRequest,
    cookies: string | undefined,
  ): Promise<OauthResult> {
    if (!state) throw oauthAttemptUnknown();
    return this.answers.result(environmentId, provider, state, cookies);
  }

  signIn(
    environmentId: EnvironmentId,
    provider: string,
    request: OauthRequest,
    { client, cookies }: OauthClient,
  ): Promise<SignedIn<FullUser>> {
    const { captchaToken, sessionPublicKey, requestedScopes } = request;
    const options = { client, captchaToken, sessionPublicKey, requestedScopes };
    return this.signIns.complete(environmentId, this.method, answerOf(provider, request, cookies), options);
  }

  link(
    environmentId: EnvironmentId,
    caller: EndUserPrincipal,
    provider: string,
    request: OauthRequest,
    { client, cookies }: OauthClient,
  ): Promise<ProfileAnswer> {
    const { captchaToken, requestedScopes } = request;
    const options = { client, captchaToken, requestedScopes };
    return this.links.complete(environmentId, caller, this.method, answerOf(provider, request, cookies), options);
  }
}

/** The origin of a call, with its cookies. */
export interface OauthClient {
  client: ClientOrigin;
  cookies: string | undefined;
}

function answerOf(
  provider: string,
  { state, code, codeVerifier, ssoProviderId }: OauthRequest,
  cookies: string | undefined,
): OauthAnswer {
  return { provider, state, code, codeVerifier, cookies, ssoProviderId: ssoProviderId?.toLowerCase() };
}
