import { Body, Post, UseInterceptors } from '@nestjs/common';
import {
  Caller,
  Client,
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
import { MfaAuthRecoveryDevicePostRequest, MfaAuthTotpDevicePostRequest } from './mfa.dto.js';
import { RECOVERY_CODE_USED } from './mfa.events.js';
import { RecoveryAuthentication } from './recovery-authentication.service.js';
import { TotpAuthentication } from './totp-authentication.service.js';

const LIMITS = ['30 calls per minute and client address', '5 wrong codes make a factor wait 15 minutes, 100 close it'];

@ApiController('sdk/:environmentId/users/mfa/auth', 'Sdk')
export class MfaAuthController {
  constructor(
    private readonly totp: TotpAuthentication,
    private readonly recovery: RecoveryAuthentication,
  ) {}

  @Post('totp')
  @Operation({
    id: 'authMfaTotpDevice',
    summary: 'Raise the session with a TOTP code, optionally minting an MFA token',
    errors: [403, 422, 429],
    limits: LIMITS,
  })
  @EndUser({ assurance: ['requiresAdditionalAuth'] })
  @RateLimited(RATE_RULES.mfa)
  @UseInterceptors(SessionCookies)
  @Returns(VerifyResponse)
  authMfaTotpDevice(
    @Environment() environmentId: EnvironmentId,
    @Caller() caller: EndUserPrincipal,
    @Client() client: ClientOrigin,
    @Body() body: MfaAuthTotpDevicePostRequest,
  ) {
    return this.totp.authenticate(environmentId, caller, body, client);
  }

  @Post('recovery')
  @Operation({
    id: 'authMfaRecovery',
    summary: 'Raise the session with a recovery code',
    description: 'Each code works once. It is no fresh proof: `requestedScopes` give nothing.',
    errors: [422, 429],
    events: [RECOVERY_CODE_USED.name],
    limits: LIMITS,
  })
  @EndUser({ assurance: ['requiresAdditionalAuth'] })
  @RateLimited(RATE_RULES.mfa)
  @UseInterceptors(SessionCookies)
  @Returns(VerifyResponse)
  authMfaRecovery(
    @Environment() environmentId: EnvironmentId,
    @Caller() caller: EndUserPrincipal,
    @Client() client: ClientOrigin,
    @Body() body: MfaAuthRecoveryDevicePostRequest,
  ) {
    return this.recovery.authenticate(environmentId, caller, body, client);
  }
}
