import { Body, Delete, Get, Post, Put, Query, UseInterceptors } from '@nestjs/common';
import {
  Caller,
  Client,
  EndUser,
  Environment,
  FreshProof,
  Public,
  type ClientOrigin,
  type EndUserPrincipal,
  type EnvironmentId,
} from '../../../auth/index.js';
import { ApiController, Operation, Returns, ReturnsNothing } from '../../../common/http/operation.js';
import { VerifyResponse } from '../../flows/sign-in.dto.js';
import { SessionCookies } from '../../sessions/session-cookies.interceptor.js';
import { PasskeyAuthRequest, PasskeyRegisterRequest } from './passkey-answer.dto.js';
import {
  GetPasskeyAuthenticationOptionsResponse,
  GetPasskeyRegistrationOptionsResponse,
  RelatedOriginQuery,
} from './passkey-options.dto.js';
import { PasskeyOptions } from './passkey-options.service.js';
import { PasskeySignIn } from './passkey-sign-in.service.js';
import { DeleteUserPasskeyRequest, GetUserPasskeysResponse, UpdateUserPasskeyRequest } from './passkey.dto.js';
import { UserPasskey } from '../../users/user-passkey.dto.js';
import { Passkeys } from './passkeys.service.js';

const CHALLENGE = 'A challenge is single-use and expires after 5 minutes';
const TEN = '10 passkeys per user, plus those gained by a merge';

@ApiController('sdk/:environmentId/users/passkeys', 'Sdk')
export class PasskeysController {
  constructor(
    private readonly passkeys: Passkeys,
    private readonly options: PasskeyOptions,
    private readonly signIns: PasskeySignIn,
  ) {}

  @Get()
  @Operation({ id: 'getUserPasskeys', summary: 'List the passkeys of the signed-in user', limits: [TEN] })
  @EndUser()
  @Returns(GetUserPasskeysResponse)
  getUserPasskeys(@Environment() environmentId: EnvironmentId, @Caller() caller: EndUserPrincipal) {
    return this.passkeys.list(environmentId, caller);
  }

  @Put()
  @Operation({ id: 'updatePasskey', summary: 'Rename a passkey' })
  @EndUser()
  @Returns(UserPasskey)
  updatePasskey(
    @Environment() environmentId: EnvironmentId,
    @Caller() caller: EndUserPrincipal,
    @Body() body: UpdateUserPasskeyRequest,
  ) {
    return this.passkeys.rename(environmentId, caller, body);
  }

  @Delete()
  @Operation({
    id: 'deletePasskey',
    summary: 'Remove a passkey',
    description:
      'Requires an elevated token for `credential:unlink`, even right after a sign-in. Ends the other sessions of the user, who is notified by email.',
    errors: [403, 422],
    events: ['user.updated', 'user.session.revoked'],
  })
  @EndUser()
  @FreshProof('credential:unlink')
  @ReturnsNothing()
  deletePasskey(
    @Environment() environmentId: EnvironmentId,
    @Caller() caller: EndUserPrincipal,
    @Client() client: ClientOrigin,
    @Body() { passkeyId }: DeleteUserPasskeyRequest,
  ) {
    return this.passkeys.remove(environmentId, caller, passkeyId, client);
  }

  @Get('register')
  @Operation({
    id: 'getPasskeyRegistrationOptions',
    noHead: true,
    summary: 'Start registering a passkey',
    description: 'Options for `navigator.credentials.create`, for the site in the `Origin` header of the call.',
    errors: [400],
    limits: [CHALLENGE, TEN],
  })
  @EndUser()
  @Returns(GetPasskeyRegistrationOptionsResponse)
  getPasskeyRegistrationOptions(
    @Environment() environmentId: EnvironmentId,
    @Caller() caller: EndUserPrincipal,
    @Client() client: ClientOrigin,
  ) {
    return this.options.registration(environmentId, caller, client);
  }

  @Post('register')
  @Operation({
    id: 'registerPasskey',
    summary: 'Store a new passkey',
    description:
      "Takes the browser's response to the options as `toJSON()` of the credential gives it, except that in `response` the name `clientDataJSON` becomes `clientDataJson`, and `authenticatorData` and `publicKeyAlgorithm` are left out. Requires an elevated token for `credential:link`, even right after a sign-in. The other sessions of the user end, and the user is notified by email. With `createMfaToken`, where passkeys are enabled as second factors and another kind of factor opened the session, the passkey counts as given and the answer has an `mfaToken`.",
    errors: [403, 422, 503],
    events: ['user.updated', 'user.session.revoked'],
    limits: ['10 calls per minute and client address', TEN],
  })
  @EndUser()
  @FreshProof('credential:link')
  @UseInterceptors(SessionCookies)
  @Returns(VerifyResponse)
  registerPasskey(
    @Environment() environmentId: EnvironmentId,
    @Caller() caller: EndUserPrincipal,
    @Client() client: ClientOrigin,
    @Body() body: PasskeyRegisterRequest,
  ) {
    return this.signIns.register(environmentId, caller, body, client);
  }

  @Get('authenticate')
  @Operation({
    id: 'getPasskeyAuthenticationOptions',
    noHead: true,
    summary: 'Start a new proof with a passkey of the signed-in user',
    description:
      'Options for `navigator.credentials.get`. `PublicKeyCredential.parseRequestOptionsFromJSON` accepts them as they are. Send the result to signinWithPasskey with `requestedScopes` or, for a passkey that is a second factor, to authenticateMfaPasskeyDevice. Until a due second factor is given, only passkeys that are one are listed.',
    limits: [CHALLENGE],
  })
  @EndUser({ assurance: ['requiresAdditionalAuth'] })
  @Returns(GetPasskeyAuthenticationOptionsResponse)
  getPasskeyAuthenticationOptions(
    @Environment() environmentId: EnvironmentId,
    @Caller() caller: EndUserPrincipal,
    @Client() client: ClientOrigin,
    @Query() { relatedOriginRpId }: RelatedOriginQuery,
  ) {
    return this.options.authentication(environmentId, caller, client, relatedOriginRpId);
  }

  @Get('signin')
  @Operation({
    id: 'getPasskeyAuthenticationSigninOptions',
    noHead: true,
    summary: 'Start a sign-in with a passkey',
    description:
      'Options for `navigator.credentials.get`, with or without conditional mediation: no username is needed, and the answer does not depend on the caller.',
    errors: [401],
    limits: [CHALLENGE],
  })
  @Public()
  @Returns(GetPasskeyAuthenticationOptionsResponse)
  getPasskeyAuthenticationSigninOptions(
    @Environment() environmentId: EnvironmentId,
    @Client() client: ClientOrigin,
    @Query() { relatedOriginRpId }: RelatedOriginQuery,
  ) {
    return this.options.signIn(environmentId, client, relatedOriginRpId);
  }

  @Post('signin')
  @Operation({
    id: 'signinWithPasskey',
    summary: 'Sign in with a passkey',
    description: "Takes the browser's response to the options.",
    errors: [401, 403, 422, 503],
    sessionErrors: true,
    events: ['user.session.created', 'user.session.revoked'],
    limits: ['10 calls per minute and client address', CHALLENGE],
  })
  @Public()
  @UseInterceptors(SessionCookies)
  @Returns(VerifyResponse)
  signinWithPasskey(
    @Environment() environmentId: EnvironmentId,
    @Client() client: ClientOrigin,
    @Body() body: PasskeyAuthRequest,
  ) {
    return this.signIns.signIn(environmentId, body, client);
  }
}
