import { Body, Get, Param, Post, Query, UseInterceptors } from '@nestjs/common';
import { ApiParam } from '@nestjs/swagger';
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
import { ApiController, Operation, Returns, ReturnsNothing } from '../../../common/http/operation.js';
import { OauthResultRequest } from '../../flows/sign-in/oauth-result.dto.js';
import { VerifyResponse } from '../../flows/sign-in.dto.js';
import { SessionCookies } from '../../sessions/session-cookies.interceptor.js';
import { Cookies } from '../../flows/sessions/browser-answer.js';
import {
  OauthInitAuthRequest,
  OauthLoginQuery,
  OauthProviderLoginUrl,
  OauthRequest,
  OauthResultResponse,
} from './oauth.dto.js';
import { PROVIDER_TYPE } from './provider-type-param.js';
import { OauthSignIn } from './oauth-sign-in.service.js';

const TIME = 'a sign-in must complete within 10 minutes after it began';
const SIGN_INS = ['10 calls per minute and client address', TIME];

/** Sign-in with a social provider: the operations that clients call. */
@ApiController('sdk/:environmentId/providers/:providerType', 'Sdk')
@ApiParam(PROVIDER_TYPE)
export class OauthController {
  constructor(private readonly oauth: OauthSignIn) {}

  @Post('initAuth')
  @Operation({
    id: 'initAuth',
    summary: 'Register the state and return address of an OAuth attempt before the browser leaves',
    description:
      'Binds the attempt to the browser with a cookie, so call it with credentials; or, with a `codeChallenge`, to the client that knows the verifier.',
    errors: [403, 422],
    sessionErrors: true,
    limits: ['10 calls per minute and client address', TIME],
  })
  @Public()
  @RateLimited(RATE_RULES.attempt)
  @UseInterceptors(SessionCookies)
  @ReturnsNothing()
  initAuth(
    @Environment() environmentId: EnvironmentId,
    @Param('providerType') provider: string,
    @Cookies() cookies: string | undefined,
    @Body() body: OauthInitAuthRequest,
  ) {
    return this.oauth.begin(environmentId, provider, body, cookies);
  }

  @Get('loginUrl')
  @Operation({
    id: 'oauthLoginUrl',
    summary: 'Give the provider login address as JSON so a client can adjust it before navigating',
    description: 'The login URL for the attempt that initAuth started, including PKCE, state and nonce.',
    errors: [422],
    limits: [TIME],
  })
  @Public()
  @Returns(OauthProviderLoginUrl)
  oauthLoginUrl(
    @Environment() environmentId: EnvironmentId,
    @Param('providerType') provider: string,
    @Cookies() cookies: string | undefined,
    @Query() { state }: OauthLoginQuery,
  ) {
    return this.oauth.loginUrl(environmentId, provider, state, cookies);
  }

  @Post('oauthResult')
  @Operation({
    id: 'oauthResult',
    summary: 'Poll by state for the code or error that the callback stored',
    description:
      'Only the browser that started the attempt gets the code. If the client started it with a `codeChallenge`, the code went to the return address and is not repeated here.',
    errors: [403, 422],
    sessionErrors: true,
    limits: [TIME],
  })
  @Public()
  @Returns(OauthResultResponse)
  oauthResult(
    @Environment() environmentId: EnvironmentId,
    @Param('providerType') provider: string,
    @Cookies() cookies: string | undefined,
    @Body() body: OauthResultRequest,
  ) {
    return this.oauth.result(environmentId, provider, body, cookies);
  }

  @Post('signIn')
  @Operation({
    id: 'oauthSignIn',
    summary: 'Exchange an OAuth code (plus PKCE verifier if needed) for a signed-in user and tokens',
    description:
      'The first sign-in of an account creates its user, or joins the user with its email address if the provider is the authority for that address and has verified it. State and code are single-use.',
    errors: [403, 422, 503],
    sessionErrors: true,
    events: ['user.created', 'user.session.created', 'user.session.revoked', 'user.social.linked'],
    limits: SIGN_INS,
  })
  @Public()
  @UseInterceptors(SessionCookies)
  @Returns(VerifyResponse)
  oauthSignIn(
    @Environment() environmentId: EnvironmentId,
    @Param('providerType') provider: string,
    @Client() client: ClientOrigin,
    @Cookies() cookies: string | undefined,
    @Body() body: OauthRequest,
  ) {
    return this.oauth.signIn(environmentId, provider, body, { client, cookies });
  }

  @Post('verify')
  @Operation({
    id: 'oauthVerify',
    summary: 'Attach an OAuth account to the signed-in user by exchanging a code',
    errors: [403, 422, 503],
    sessionErrors: true,
    events: ['user.updated', 'user.session.revoked', 'user.social.linked'],
    limits: SIGN_INS,
  })
  @EndUser()
  @RecentProofAccepted('credential:link')
  @UseInterceptors(SessionCookies)
  @Returns(VerifyResponse)
  oauthVerify(
    @Environment() environmentId: EnvironmentId,
    @Param('providerType') provider: string,
    @Caller() caller: EndUserPrincipal,
    @Client() client: ClientOrigin,
    @Cookies() cookies: string | undefined,
    @Body() body: OauthRequest,
  ) {
    return this.oauth.link(environmentId, caller, provider, body, { client, cookies });
  }
}
