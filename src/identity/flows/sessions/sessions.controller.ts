import { Get, Post, UseInterceptors } from '@nestjs/common';
import {
  Caller,
  Client,
  EndUser,
  Environment,
  PARTIAL_SCOPES,
  type ClientOrigin,
  type EndUserPrincipal,
  type EnvironmentId,
} from '../../../auth/index.js';
import { ApiController, Operation, Returns, ReturnsNothing } from '../../../common/http/operation.js';
import { RefreshFlow } from './refresh.flow.js';
import { VerifyResponse } from '../sign-in.dto.js';
import { SignOutFlow } from './sign-out.flow.js';
import { SessionCookies } from '../../sessions/session-cookies.interceptor.js';

@ApiController('sdk/:environmentId', 'Sdk')
export class SessionsController {
  constructor(
    private readonly refreshFlow: RefreshFlow,
    private readonly signOut: SignOutFlow,
  ) {}

  @Get('session')
  @Operation({
    id: 'sessionCheck',
    summary: "Check whether the caller's session is still valid",
    description: 'Revocation takes effect at once: the session is looked up on every call.',
    errors: [400],
  })
  @EndUser({ assurance: PARTIAL_SCOPES })
  @ReturnsNothing()
  sessionCheck(): void {
    // Nothing left to do: the guard answers 401 for an invalid session.
  }

  @Post('refresh')
  @Operation({
    id: 'refreshAuth',
    summary: 'Exchange a valid token for a new one',
    description:
      'Takes the newest token of the session. Repeats by the same client within 10 seconds get the same answer; any other reuse ends the session. A replaced token remains valid for other calls for 15 minutes, but cannot obtain new tokens.',
    errors: [400, 403, 422],
    sessionErrors: true,
    events: ['user.session.revoked'],
    limits: [
      'A session lasts 30 days, however often it is refreshed; after a second factor, 24 hours from that factor and 1 hour from the last refresh',
    ],
  })
  @EndUser({ assurance: PARTIAL_SCOPES, endsReused: true })
  @UseInterceptors(SessionCookies)
  @Returns(VerifyResponse)
  refreshAuth(
    @Environment() environmentId: EnvironmentId,
    @Caller() caller: EndUserPrincipal,
    @Client() client: ClientOrigin,
  ) {
    return this.refreshFlow.refresh(environmentId, caller, client);
  }

  @Post('revoke')
  @Operation({
    id: 'revokeSession',
    summary: "End the caller's own session",
    errors: [400, 403, 422],
    sessionErrors: true,
    events: ['user.session.revoked'],
  })
  @EndUser({ assurance: PARTIAL_SCOPES, admitsCut: true })
  @UseInterceptors(SessionCookies)
  @ReturnsNothing()
  revokeSession(@Environment() environmentId: EnvironmentId, @Caller() caller: EndUserPrincipal) {
    return this.signOut.signOut(environmentId, caller);
  }
}
