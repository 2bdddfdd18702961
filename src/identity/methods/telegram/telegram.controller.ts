import { Body, Get, Post, Res, UseInterceptors } from '@nestjs/common';
import type { Response as ExpressResponse } from 'express';
import {
  Caller,
  Client,
  EndUser,
  Environment,
  Public,
  RATE_RULES,
  RateLimited,
  RecentProofAccepted,
  type ClientOrigin,
  type EndUserPrincipal,
  type EnvironmentId,
} from '../../../auth/index.js';
import { ApiController, Operation, Returns, ReturnsNothing, ReturnsToBrowser } from '../../../common/http/operation.js';
import { OptionalBody } from '../../../common/http/optional-body.js';
import { Cookies, OpenQuery, QueryText, sendTo } from '../../flows/sessions/browser-answer.js';
import { OauthResultRequest } from '../../flows/sign-in/oauth-result.dto.js';
import { VerifyResponse } from '../../flows/sign-in.dto.js';
import { SessionCookies } from '../../sessions/session-cookies.interceptor.js';
import { TelegramSignIn } from './telegram-sign-in.service.js';
import { TelegramVisits } from './telegram-visits.service.js';
import { TelegramAuthQuery, TelegramPostRequest } from './telegram.dto.js';

const GOOD =
  'a login is single-use and has to arrive within 5 minutes after it was confirmed; stored for a browser, it expires 10 minutes later';
const CALLS = '10 calls per minute and client address';
const NAMED =
  'Identify the login by the state under which it is stored for this browser (call with credentials), or by `telegramAuthToken`.';

/** Sign-in with an account at the messaging network. */
@ApiController('sdk/:environmentId', 'Sdk')
export class TelegramController {
  constructor(
    private readonly telegram: TelegramSignIn,
    private readonly visits: TelegramVisits,
  ) {}

  @Get('telegram/auth')
  @Operation({
    id: 'getTelegramAuth',
    noHead: true,
    summary: 'Serve the messaging-provider login widget page',
    description:
      'Binds the sign-in to this browser by a cookie. The widget sends the browser back to the same address, where the login is verified and stored.',
    errors: [403, 422],
    sessionErrors: true,
    limits: [GOOD],
  })
  @Public()
  @ReturnsToBrowser({ page: true })
  async getTelegramAuth(
    @Environment() environmentId: EnvironmentId,
    @OpenQuery(TelegramAuthQuery) { state }: TelegramAuthQuery,
    @QueryText() text: string,
    @Cookies() cookies: string | undefined,
    @Res() response: ExpressResponse,
  ) {
    sendTo(response, await this.visits.page(environmentId, state, text, cookies));
  }

  @Post('telegram/auth')
  @Operation({
    id: 'postTelegramAuth',
    summary: "Receive the widget's login data and store it under the state",
    description: 'For clients that show the widget with a callback of their own on the getTelegramAuth page.',
    errors: [403, 422],
    sessionErrors: true,
    limits: [CALLS, GOOD],
  })
  @Public()
  @RateLimited(RATE_RULES.attempt)
  @ReturnsNothing(202)
  postTelegramAuth(
    @Environment() environmentId: EnvironmentId,
    @Cookies() cookies: string | undefined,
    @Body() body: TelegramPostRequest,
  ) {
    return this.visits.receive(environmentId, body, cookies);
  }

  @Post('checkTelegramAuth')
  @Operation({
    id: 'telegramCheckAuth',
    summary: 'Check whether a messaging-provider login belongs to a known user',
    description: `${NAMED} The login is not used up.`,
    errors: [403, 422],
    sessionErrors: true,
    limits: [CALLS],
  })
  @Public()
  @RateLimited(RATE_RULES.attempt)
  @ReturnsNothing()
  telegramCheckAuth(
    @Environment() environmentId: EnvironmentId,
    @Cookies() cookies: string | undefined,
    @OptionalBody(OauthResultRequest) body: OauthResultRequest,
  ) {
    return this.telegram.check(environmentId, body, cookies);
  }

  @Post('telegram/signin')
  @Operation({
    id: 'telegramSignIn',
    summary: 'Sign in with a messaging-provider login result',
    description: `${NAMED} The first sign-in of an account creates its user, unless \`forceCreateUser\` is false.`,
    errors: [403, 422, 503],
    sessionErrors: true,
    events: ['user.created', 'user.session.created', 'user.session.revoked'],
    limits: [CALLS, GOOD],
  })
  @Public()
  @UseInterceptors(SessionCookies)
  @Returns(VerifyResponse)
  telegramSignIn(
    @Environment() environmentId: EnvironmentId,
    @Client() client: ClientOrigin,
    @Cookies() cookies: string | undefined,
    @OptionalBody(OauthResultRequest) body: OauthResultRequest,
  ) {
    return this.telegram.signIn(environmentId, body, { client, cookies });
  }

  @Post('telegram/verify')
  @Operation({
    id: 'telegramVerify',
    summary: 'Attach a messaging-provider account to the signed-in user',
    description: NAMED,
    errors: [403, 422, 503],
    sessionErrors: true,
    events: ['user.updated', 'user.session.revoked', 'user.social.linked'],
    limits: [CALLS, GOOD],
  })
  @EndUser()
  @RecentProofAccepted('credential:link')
  @UseInterceptors(SessionCookies)
  @Returns(VerifyResponse)
  telegramVerify(
    @Environment() environmentId: EnvironmentId,
    @Caller() caller: EndUserPrincipal,
    @Client() client: ClientOrigin,
    @Cookies() cookies: string | undefined,
    @OptionalBody(OauthResultRequest) body: OauthResultRequest,
  ) {
    return this.telegram.link(environmentId, caller, body, { client, cookies });
  }
}
