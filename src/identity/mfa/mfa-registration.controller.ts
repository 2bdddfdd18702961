import { Body, Get, Headers, Post, UseInterceptors } from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';
import {
  Caller,
  Client,
  ELEVATED_TOKEN_HEADER,
  EndUser,
  Environment,
  RATE_RULES,
  RateLimited,
  type ClientOrigin,
  type EndUserPrincipal,
  type EnvironmentId,
} from '../../auth/index.js';
import { ApiController, Operation, Returns } from '../../common/http/operation.js';
import { VerifyResponse } from '../flows/sign-in.dto.js';
import { SessionCookies } from '../sessions/session-cookies.interceptor.js';
import { MfaDevice } from '../users/user-parts.dto.js';
import { MfaRegisterTotpDeviceGetResponse, MfaRegisterTotpDevicePostRequest } from './mfa.dto.js';
import { MFA_DEVICE_ADDED } from './mfa.events.js';
import { MfaRegisterPasskeyDeviceGetResponse, MfaRegisterPasskeyDevicePostRequest } from './mfa-passkey.dto.js';
import { PasskeyEnrolment } from './passkey-enrolment.service.js';
import { TotpEnrolment } from './totp-enrolment.service.js';

const LIMIT = ['30 calls per minute and client address'];
const WHO_MAY =
  'Requires a proof from the last five minutes: a session no older than that, or an elevated token for `credential:link`. Every device after the first also requires a session with a second factor. Devices of a kind that the environment has disabled do not count here, only towards the maximum per user.';

const ElevatedTokenHeader = (): MethodDecorator =>
  ApiHeader({
    name: ELEVATED_TOKEN_HEADER,
    required: false,
    description: 'Required once the session is older than five minutes.',
    schema: { type: 'string' },
  });

@ApiController('sdk/:environmentId/users/mfa/register', 'Sdk')
export class MfaRegistrationController {
  constructor(
    private readonly totp: TotpEnrolment,
    private readonly passkeys: PasskeyEnrolment,
  ) {}

  @Get('totp')
  @Operation({
    id: 'registerTotpMfaDevice',
    noHead: true,
    summary: 'Start TOTP enrolment and return secret and URI',
    description: WHO_MAY,
    errors: [403, 422],
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
    description: `${WHO_MAY} The code counts as a second factor of the session; call refreshAuth for tokens that reflect it.`,
    errors: [403, 422],
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
    @Client() client: ClientOrigin,
    @Headers(ELEVATED_TOKEN_HEADER) elevated: string | undefined,
    @Body() body: MfaRegisterTotpDevicePostRequest,
  ) {
    return this.totp.finish(environmentId, caller, body, elevated ?? null, client);
  }

  @Get('passkey')
  @Operation({
    id: 'registerPasskeyMfaDevice',
    noHead: true,
    summary: 'Start passkey enrolment for MFA',
    description: `Options for \`navigator.credentials.create\`, for the site in the \`Origin\` header of the call. ${WHO_MAY} A session that was opened by a passkey cannot register one.`,
    errors: [400, 403, 422],
    limits: LIMIT,
  })
  @EndUser({ assurance: ['requiresAdditionalAuth'] })
  @RateLimited(RATE_RULES.mfa)
  @ElevatedTokenHeader()
  @Returns(MfaRegisterPasskeyDeviceGetResponse)
  registerPasskeyMfaDevice(
    @Environment() environmentId: EnvironmentId,
    @Caller() caller: EndUserPrincipal,
    @Client() client: ClientOrigin,
    @Headers(ELEVATED_TOKEN_HEADER) elevated: string | undefined,
  ) {
    return this.passkeys.begin(environmentId, caller, elevated ?? null, client);
  }

  @Post('passkey')
  @Operation({
    id: 'registerPasskeyMfaDeviceVerify',
    summary: 'Finish passkey enrolment for MFA',
    description: `${WHO_MAY} The passkey counts as a second factor of the session, and the answer contains its new tokens. It cannot be used to sign in.`,
    errors: [403, 422],
    events: [MFA_DEVICE_ADDED.name],
    limits: LIMIT,
  })
  @EndUser({ assurance: ['requiresAdditionalAuth'] })
  @RateLimited(RATE_RULES.mfa)
  @ElevatedTokenHeader()
  @UseInterceptors(SessionCookies)
  @Returns(VerifyResponse)
  registerPasskeyMfaDeviceVerify(
    @Environment() environmentId: EnvironmentId,
    @Caller() caller: EndUserPrincipal,
    @Client() client: ClientOrigin,
    @Headers(ELEVATED_TOKEN_HEADER) elevated: string | undefined,
    @Body() body: MfaRegisterPasskeyDevicePostRequest,
  ) {
    return this.passkeys.finish(environmentId, caller, body, elevated ?? null, client);
  }
}
