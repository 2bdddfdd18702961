import { Post, UseInterceptors } from '@nestjs/common';
import {
  Caller,
  Client,
  EndUser,
  Environment,
  Public,
  RecentProofAccepted,
  type ClientOrigin,
  type EndUserPrincipal,
  type EnvironmentId,
} from '../../../auth/index.js';
import { ApiController, Operation, Returns } from '../../../common/http/operation.js';
import { OptionalBody } from '../../../common/http/optional-body.js';
import { VerifyResponse } from '../../flows/sign-in.dto.js';
import { SessionCookies } from '../../sessions/session-cookies.interceptor.js';
import { FrameSignIn } from './frame-sign-in.service.js';
import { FrameappSignInRequest } from './frame.dto.js';

const LIMITS = [
  '10 calls per minute and client address',
  'a nonce is single-use and expires after 5 minutes; a message is valid for 10 minutes after it was issued',
  "5 s for the chain lookup of the account's owner",
];

@ApiController('sdk/:environmentId/frameapp', 'Sdk')
export class FrameController {
  constructor(private readonly frames: FrameSignIn) {}

  @Post('signin')
  @Operation({
    id: 'frameappSignIn',
    summary: 'Sign in with a signed Farcaster message',
    description:
      "The network's registry on OP Mainnet must map the account to the address that signed. The first sign-in of an account creates its user.",
    errors: [403, 422, 503],
    sessionErrors: true,
    events: ['user.created', 'user.session.created', 'user.session.revoked'],
    limits: LIMITS,
  })
  @Public()
  @UseInterceptors(SessionCookies)
  @Returns(VerifyResponse)
  frameappSignIn(
    @Environment() environmentId: EnvironmentId,
    @Client() client: ClientOrigin,
    @OptionalBody(FrameappSignInRequest) body: FrameappSignInRequest,
  ) {
    return this.frames.signIn(environmentId, body, client);
  }

  @Post('verify')
  @Operation({
    id: 'frameappVerify',
    summary: 'Attach a frame-network account to the signed-in user',
    errors: [403, 422, 503],
    sessionErrors: true,
    events: ['user.updated', 'user.session.revoked', 'user.social.linked'],
    limits: LIMITS,
  })
  @EndUser()
  @RecentProofAccepted('credential:link')
  @UseInterceptors(SessionCookies)
  @Returns(VerifyResponse)
  frameappVerify(
    @Environment() environmentId: EnvironmentId,
    @Caller() caller: EndUserPrincipal,
    @Client() client: ClientOrigin,
    @OptionalBody(FrameappSignInRequest) body: FrameappSignInRequest,
  ) {
    return this.frames.link(environmentId, caller, body, client);
  }
}
