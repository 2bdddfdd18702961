import { Body, Post, UseInterceptors } from '@nestjs/common';
import { Client, EndUser, Environment, Public, type ClientOrigin, type EnvironmentId } from '../../../auth/index.js';
import { ApiController, Operation, Returns, ReturnsNothing } from '../../../common/http/operation.js';
import { Cookies } from '../../flows/sessions/browser-answer.js';
import { VerifyResponse } from '../../flows/sign-in.dto.js';
import { SessionCookies } from '../../sessions/session-cookies.interceptor.js';
import { ExternalAuth } from './external-auth.service.js';
import { ExternalAuthSigninRequest } from './external-token.dto.js';

@ApiController('sdk/:environmentId/externalAuth', 'Sdk')
export class ExternalAuthController {
  constructor(private readonly auth: ExternalAuth) {}

  @Post('signin')
  @Operation({
    id: 'externalAuthSignin',
    summary: "Sign in with a token issued by the customer's own identity provider",
    description:
      'The token is in the body or in the cookie that `security.externalAuth.cookieName` names. Issuer, audience and key set are those of `security.externalAuth`; the subject identifies the user. The first sign-in of a subject creates its user.',
    errors: [401, 403, 422, 503],
    sessionErrors: true,
    events: ['user.created', 'user.session.created', 'user.session.revoked'],
    limits: [
      '10 calls per minute and client address',
      'tokens issued within the last five minutes; clock skew up to 60 s',
    ],
  })
  @Public()
  @UseInterceptors(SessionCookies)
  @Returns(VerifyResponse)
  externalAuthSignin(
    @Environment() environmentId: EnvironmentId,
    @Client() client: ClientOrigin,
    @Cookies() cookies: string | undefined,
    @Body() body: ExternalAuthSigninRequest,
  ) {
    return this.auth.signIn(environmentId, body, { client, cookies });
  }

  @Post('verify')
  @Operation({
    id: 'externalAuthVerify',
    summary: 'Retired form of external-token sign-in; always answers 410',
    errors: [410],
    deprecated: true,
  })
  @EndUser()
  @ReturnsNothing(410)
  externalAuthVerify(@Body() _body: ExternalAuthSigninRequest) {
    return this.auth.verify();
  }
}
