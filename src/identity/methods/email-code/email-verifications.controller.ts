import { Body, Post, UseInterceptors } from '@nestjs/common';
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
import { ApiController, Operation, Returns } from '../../../common/http/operation.js';
import { EmailVerificationCreateResponse, UpdateSelfResponse, VerifyResponse } from '../../flows/sign-in.dto.js';
import { SessionCookies } from '../../sessions/session-cookies.interceptor.js';
import { EmailVerifications } from './email-verifications.service.js';
import {
  EmailVerificationCreateRequest,
  EmailVerificationRetryRequest,
  EmailVerificationVerifyRequest,
} from './email-verification.dto.js';

const SENDING = [
  '3 calls per minute and client address',
  '1 code per 30 s, 5 per hour and 10 per day per address and client network, 20 per half hour for all networks that the address has not signed in from',
];
const TRIES =
  '5 attempts per code, which expires after 10 minutes; after 5 wrong codes from a network, or 20 from unfamiliar ones, a wait of 30 s that doubles with each further one, up to 15 and 30 minutes';

@ApiController('sdk/:environmentId/emailVerifications', 'Sdk')
export class EmailVerificationsController {
  constructor(private readonly codes: EmailVerifications) {}

  @Post('create')
  @Operation({
    id: 'createEmailVerification',
    summary: 'Send a one-time code to an email address',
    description: 'The answer does not reveal whether a user has the address.',
    errors: [422, 503],
    limits: SENDING,
  })
  @Public()
  @RateLimited(RATE_RULES.codeSending)
  @Returns(EmailVerificationCreateResponse, { status: 201 })
  createEmailVerification(
    @Environment() environmentId: EnvironmentId,
    @Client() client: ClientOrigin,
    @Body() body: EmailVerificationCreateRequest,
  ) {
    return this.codes.start(environmentId, body, client);
  }

  @Post('retry')
  @Operation({
    id: 'retryEmailVerification',
    summary: 'Send a new email code for a pending verification',
    description: 'The previous code stops working.',
    errors: [422, 503],
    limits: SENDING,
  })
  @Public()
  @RateLimited(RATE_RULES.codeSending)
  @Returns(EmailVerificationCreateResponse, { status: 201 })
  retryEmailVerification(
    @Environment() environmentId: EnvironmentId,
    @Client() client: ClientOrigin,
    @Body() body: EmailVerificationRetryRequest,
  ) {
    return this.codes.restart(environmentId, body, client);
  }

  @Post('signin')
  @Operation({
    id: 'signInWithEmailVerification',
    summary: 'Confirm an email code and open a session',
    description: 'The first sign-in of an address creates its user.',
    errors: [403, 422, 503],
    sessionErrors: true,
    events: ['user.created', 'user.session.created', 'user.session.revoked'],
    limits: ['10 calls per minute and client address', TRIES],
  })
  @Public()
  @UseInterceptors(SessionCookies)
  @Returns(VerifyResponse)
  signInWithEmailVerification(
    @Environment() environmentId: EnvironmentId,
    @Client() client: ClientOrigin,
    @Body() body: EmailVerificationVerifyRequest,
  ) {
    return this.codes.signIn(environmentId, body, client);
  }

  @Post('verify')
  @Operation({
    id: 'verifyEmailVerification',
    summary: 'Confirm an email code for the signed-in user',
    errors: [403, 422, 503],
    sessionErrors: true,
    events: ['user.updated', 'user.session.revoked'],
    limits: ['10 calls per minute and client address', TRIES],
  })
  @EndUser({ assurance: ['userDataForm'] })
  @RecentProofAccepted('credential:link')
  @UseInterceptors(SessionCookies)
  @Returns(UpdateSelfResponse)
  verifyEmailVerification(
    @Environment() environmentId: EnvironmentId,
    @Caller() caller: EndUserPrincipal,
    @Client() client: ClientOrigin,
    @Body() body: EmailVerificationVerifyRequest,
  ) {
    return this.codes.link(environmentId, caller, body, client);
  }
}
