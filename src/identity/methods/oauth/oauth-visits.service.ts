import { Injectable } from '@nestjs/common';
import type { EnvironmentId } from '../../../database/index.js';
import { OauthAnswers, type ProviderAnswer } from './oauth-answers.service.js';
import { OauthAttempts } from './oauth-attempts.service.js';
import { leavePage, returnPage } from './oauth-pages.js';
import type { BrowserAnswer } from '../../flows/sessions/browser-answer.js';
import type { OauthAuthorizeQuery } from './oauth.dto.js';
import { oauthAttemptUnknown, oauthScopeFixed } from './oauth.errors.js';

/** Browser navigation: leaving for a provider, and returning from it. */
@Injectable()
export class OauthVisits {
  constructor(
    private readonly attempts: OauthAttempts,
    private readonly answers: OauthAnswers,
  ) {}

  async leave(
    environmentId: EnvironmentId,
    provider: string,
    state: string | undefined,
    cookies: string | undefined,
  ): Promise<BrowserAnswer> {
    return { location: await this.attempts.address(environmentId, provider, state, cookies) };
  }

  /** A page that leads to the provider. With a redirect URL it begins a sign-in, bound to this browser. */
  async page(
    environmentId: EnvironmentId,
    provider: string,
    { scope, state, redirect_uri: redirectUrl }: OauthAuthorizeQuery,
    cookies: string | undefined,
  ): Promise<BrowserAnswer> {
    if (scope) throw oauthScopeFixed();
    if (redirectUrl === undefined) {
      return { page: leavePage(await this.attempts.address(environmentId, provider, state, cookies)) };
    }
    if (state === undefined) throw oauthAttemptUnknown();
    const beginning = { state, redirectUrl, isPage: true };
    const { setCookie } = await this.attempts.begin(environmentId, provider, beginning, cookies);
    const address = await this.attempts.address(environmentId, provider, state, setCookie?.split(';')[0]);
    return { page: leavePage(address), ...(setCookie && { setCookie }) };
  }

  async comeBack(
    environmentId: EnvironmentId,
    provider: string,
    answer: ProviderAnswer,
    cookies: string | undefined,
  ): Promise<BrowserAnswer> {
    const location = await this.answers.receive(environmentId, provider, answer, cookies);
    return location === null ? { page: returnPage() } : { location };
  }
}
