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
import { PasskeyAuthRequest } from '../methods/passkey/passkey-answer.dto.js';
import { EmailAuthentication } from './email-authentication.service.js';
import {
  EmailVerificationMfaRequest,
  MfaAuthRecoveryDevicePostRequest,
  MfaAuthTotpDevicePostRequest,
} from './mfa.dto.js';
import { MFA_DEVICE_ADDED, RECOVERY_CODE_USED } from './mfa.events.js';
import { PasskeyAuthentication } from './passkey-authentication.service.js';
import { RecoveryAuthentication } from './recovery-authentication.service.js';
import { TotpAuthentication } from './totp-authentication.service.js';

const LIMIT = '30 calls per minute and client address';
const LIMITS = [LIMIT, '5 wrong codes lock a factor for 15 minutes; the wait doubles with every 5 more, up to a day'];

@ApiController('sdk/:environmentId/users/mfa/auth', 'Sdk')
export class MfaAuthController {
  constructor(
    private readonly totp: TotpAuthentication,
    private readonly passkeys: PasskeyAuthentication,
    private readonly email: EmailAuthentication,
    private readonly recovery: RecoveryAuthentication,
  ) {}

  @Post('totp')
  @Operation({
    id: 'authMfaTotpDevice',
    summary: 'Step up the session with a TOTP code, optionally issuing an MFA token',
    description:
      'With the `id` of an enrolment begun with registerTotpMfaDevice in the last five minutes, finishes it as registerTotpMfaDeviceVerify does, and answers tokens; `requestedScopes` are refused then.',
    errors: [403, 422],
    events: [MFA_DEVICE_ADDED.name],
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

  @Post('passkey')
  @Operation({
    id: 'authenticateMfaPasskeyDevice',
    summary: 'Step up the session with a passkey assertion',
    description:
      "Takes the browser's response to getPasskeyAuthenticationOptions, from a passkey registered with registerPasskeyMfaDevice or registerPasskey. A session that was opened by a passkey needs another kind of factor; with `requestedScopes` alone, a passkey for sign-in is a fresh proof in any session.",
    errors: [403, 422],
    limits: [LIMIT],
  })
  @EndUser({ assurance: ['requiresAdditionalAuth'] })
  @RateLimited(RATE_RULES.mfa)
  @UseInterceptors(SessionCookies)
  @Returns(VerifyResponse)
  authenticateMfaPasskeyDevice(
    @Environment() environmentId: EnvironmentId,
    @Caller() caller: EndUserPrincipal,
    @Client() client: ClientOrigin,
    @Body() body: PasskeyAuthRequest,
  ) {
    return this.passkeys.authenticate(environmentId, caller, body, client);
  }

  @Post('email')
  @Operation({
    id: 'authenticateMfaEmail',
    summary: 'Step up the session with an emailed code',
    description:
      'Takes a code from createEmailVerification that was sent to an address the user has proven. A session that was opened by a code or link needs another kind of factor.',
    errors: [403, 422],
    limits: [LIMIT, '5 attempts per code, which expires after 10 minutes; waits after wrong codes as at sign-in'],
  })
  @EndUser({ assurance: ['requiresAdditionalAuth'] })
  @RateLimited(RATE_RULES.mfa)
  @UseInterceptors(SessionCookies)
  @Returns(VerifyResponse)
  authenticateMfaEmail(
    @Environment() environmentId: EnvironmentId,
    @Caller() caller: EndUserPrincipal,
    @Client() client: ClientOrigin,
    @Body() body: EmailVerificationMfaRequest,
  ) {
    return this.email.authenticate(environmentId, caller, body, client);
  }

  @Post('recovery')
  @Operation({
    id: 'authMfaRecovery',
    summary: 'Step up the session with a recovery code',
    description: 'Each code is single-use. It is not a recent proof: `requestedScopes` have no effect.',
    errors: [403, 422],
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
