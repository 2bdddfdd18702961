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
import { SmsVerificationCreateResponse, UpdateSelfResponse, VerifyResponse } from '../../flows/sign-in.dto.js';
import { SessionCookies } from '../../sessions/session-cookies.interceptor.js';
import { SmsVerifications } from './sms-verifications.service.js';
import {
  SmsVerificationCreateRequest,
  SmsVerificationRetryRequest,
  SmsVerificationVerifyRequest,
} from './sms-verification.dto.js';

const SENDING = [
  '3 calls per minute and client address',
  '1 code per 30 s, 5 per hour and 10 per day per number and client network, 20 per half hour for all networks that the number has not signed in from',
  'SMS_PER_DAY of the deployment per environment',
];
const TRIES =
  '5 attempts per code, which expires after 5 minutes; after 5 wrong codes from a network, or 20 from unfamiliar ones, a wait of 30 s that doubles with each further one, up to 15 and 30 minutes';

@ApiController('sdk/:environmentId/smsVerifications', 'Sdk')
export class SmsVerificationsController {
  constructor(private readonly codes: SmsVerifications) {}

  @Post('create')
  @Operation({
    id: 'createSmsVerification',
    summary: 'Send a one-time code by SMS',
    description: 'The answer does not reveal whether a user has the number.',
    errors: [422, 503],
    limits: SENDING,
  })
  @Public()
  @RateLimited(RATE_RULES.codeSending)
  @Returns(SmsVerificationCreateResponse, { status: 201 })
  createSmsVerification(
    @Environment() environmentId: EnvironmentId,
    @Client() client: ClientOrigin,
    @Body() body: SmsVerificationCreateRequest,
  ) {
    return this.codes.start(environmentId, body, client);
  }

  @Post('retry')
  @Operation({
    id: 'retrySmsVerification',
    summary: 'Send a new SMS code for a pending verification',
    description: 'The previous code stops working.',
    errors: [422, 503],
    limits: SENDING,
  })
  @Public()
  @RateLimited(RATE_RULES.codeSending)
  @Returns(SmsVerificationCreateResponse, { status: 201 })
  retrySmsVerification(
    @Environment() environmentId: EnvironmentId,
    @Client() client: ClientOrigin,
    @Body() body: SmsVerificationRetryRequest,
  ) {
    return this.codes.restart(environmentId, body, client);
  }

  @Post('signin')
  @Operation({
    id: 'signInWithSmsVerification',
    summary: 'Confirm an SMS code and open a session',
    description: 'The first sign-in of a number creates its user.',
    errors: [403, 422, 503],
    sessionErrors: true,
    events: ['user.created', 'user.session.created', 'user.session.revoked'],
    limits: ['10 calls per minute and client address', TRIES],
  })
  @Public()
  @UseInterceptors(SessionCookies)
  @Returns(VerifyResponse)
  signInWithSmsVerification(
    @Environment() environmentId: EnvironmentId,
    @Client() client: ClientOrigin,
    @Body() body: SmsVerificationVerifyRequest,
  ) {
    return this.codes.signIn(environmentId, body, client);
  }

  @Post('verify')
  @Operation({
    id: 'verifySmsVerification',
    summary: 'Confirm an SMS code for the signed-in user',
    errors: [403, 422, 503],
    sessionErrors: true,
    events: ['user.updated', 'user.session.revoked'],
    limits: ['10 calls per minute and client address', TRIES],
  })
  @EndUser({ assurance: ['userDataForm'] })
  @RecentProofAccepted('credential:link')
  @UseInterceptors(SessionCookies)
  @Returns(UpdateSelfResponse)
  verifySmsVerification(
    @Environment() environmentId: EnvironmentId,
    @Caller() caller: EndUserPrincipal,
    @Client() client: ClientOrigin,
    @Body() body: SmsVerificationVerifyRequest,
  ) {
    return this.codes.link(environmentId, caller, body, client);
  }
}
