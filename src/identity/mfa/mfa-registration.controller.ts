import { Body, Get, Headers, Post } from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';
import {
  Caller,
  ELEVATED_TOKEN_HEADER,
  EndUser,
  Environment,
  RATE_RULES,
  RateLimited,
  type EndUserPrincipal,
  type EnvironmentId,
} from '../../auth/index.js';
import { ApiController, Operation, Returns } from '../../common/http/operation.js';
import { MfaDevice } from '../users/user-parts.dto.js';
import { MfaRegisterTotpDeviceGetResponse, MfaRegisterTotpDevicePostRequest } from './mfa.dto.js';
import { MFA_DEVICE_ADDED } from './mfa.events.js';
import { TotpEnrolment } from './totp-enrolment.service.js';

const LIMIT = ['30 calls per minute and client address'];
const FIRST_DEVICE =
  'The first device asks for a first factor of the last five minutes: a session no older than that, or an elevated token for `credential:link`. Every further one asks for a session in which a second factor was given.';

const ElevatedTokenHeader = (): MethodDecorator =>
  ApiHeader({
    name: ELEVATED_TOKEN_HEADER,
    required: false,
    description: 'For the first device, once the session is older than five minutes.',
    schema: { type: 'string' },
  });

@ApiController('sdk/:environmentId/users/mfa/register', 'Sdk')
export class MfaRegistrationController {
  constructor(private readonly totp: TotpEnrolment) {}

  @Get('totp')
  @Operation({
    id: 'registerTotpMfaDevice',
    summary: 'Start TOTP enrolment and return secret and URI',
    description: FIRST_DEVICE,
    errors: [403, 422, 429],
    limits: LIMIT,
  })
  @EndUser({ assurance: ['requiresAdditionalAuth'] })
  @RateLimited(RATE_RULES.mfa)
  @ElevatedTokenHeader()
  @Returns(MfaRegisterTotpDeviceGetResponse)
  registerTotpMfaDevice(
    @Environment() environmentId: EnvironmentId,
    @Caller() caller: EndUserPrincipal,
    @Headers(ELEVATED_TOKEN_HEADER) elevated: string | undefined,
  ) {
    return this.totp.begin(environmentId, caller, elevated ?? null);
  }

  @Post('totp')
  @Operation({
    id: 'registerTotpMfaDeviceVerify',
    summary: 'Finish TOTP enrolment with a code',
    description: `${FIRST_DEVICE} The code counts as a second factor of the session, whose next tokens say so: call refreshAuth.`,
    errors: [403, 422, 429],
    events: [MFA_DEVICE_ADDED.name],
    limits: LIMIT,
  })
  @EndUser({ assurance: ['requiresAdditionalAuth'] })
  @RateLimited(RATE_RULES.mfa)
  @ElevatedTokenHeader()
  @Returns(MfaDevice)
  registerTotpMfaDeviceVerify(
    @Environment() environmentId: EnvironmentId,
    @Caller() caller: EndUserPrincipal,
    @Headers(ELEVATED_TOKEN_HEADER) elevated: string | undefined,
    @Body() body: MfaRegisterTotpDevicePostRequest,
  ) {
    return this.totp.finish(environmentId, caller, body, elevated ?? null);
  }
}
