import { Body, Post, UseInterceptors } from '@nestjs/common';
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
import { ApiController, Operation, Returns, ReturnsNothing } from '../../../common/http/operation.js';
import { VerifyResponse } from '../../flows/sign-in.dto.js';
import { SessionCookies } from '../../sessions/session-cookies.interceptor.js';
import { WalletSignIn } from './wallet-sign-in.service.js';
import { PrefetchRequest, VerifyRequest } from './wallet.dto.js';

const LIMITS = [
  '10 calls per minute and client address',
  'A nonce is single-use and expires after 5 minutes; a message is valid for 10 minutes after it was issued',
  '5 s for the chain lookup of a smart account',
];
const SIGN_IN = {
  summary: 'Verify a signed wallet message and open a session',
  description:
    'The first sign-in of an address creates its user. Every line of the message is checked: its domain and URI must be a registered origin and match the calling site, its network must be enabled, and its nonce is single-use. An embedded wallet of the environment cannot be used to sign in.',
  errors: [403, 422, 503],
  sessionErrors: true,
  events: ['user.created', 'wallet.linked', 'user.session.created', 'user.session.revoked'],
  limits: LIMITS,
} as const;

@ApiController('sdk/:environmentId', 'Sdk')
export class WalletsSignInController {
  constructor(private readonly wallets: WalletSignIn) {}

  @Post('verify')
  @Operation({ id: 'verify', ...SIGN_IN })
  @Public()
  @UseInterceptors(SessionCookies)
  @Returns(VerifyResponse)
  verify(@Environment() environmentId: EnvironmentId, @Client() client: ClientOrigin, @Body() body: VerifyRequest) {
    return this.wallets.signIn(environmentId, body, client);
  }

  @Post('wallets/signin')
  @Operation({ id: 'walletsSignin', ...SIGN_IN })
  @Public()
  @UseInterceptors(SessionCookies)
  @Returns(VerifyResponse)
  walletsSignin(
    @Environment() environmentId: EnvironmentId,
    @Client() client: ClientOrigin,
    @Body() body: VerifyRequest,
  ) {
    return this.wallets.signIn(environmentId, body, client);
  }

  @Post('wallets/verify')
  @Operation({
    id: 'walletsVerify',
    summary: 'Verify a signed wallet message for the signed-in user and return an updated session',
    errors: [403, 422, 503],
    sessionErrors: true,
    events: ['user.updated', 'user.session.revoked', 'wallet.linked'],
    limits: LIMITS,
  })
  @EndUser()
  @RecentProofAccepted('credential:link')
  @UseInterceptors(SessionCookies)
  @Returns(VerifyResponse)
  walletsVerify(
    @Environment() environmentId: EnvironmentId,
    @Caller() caller: EndUserPrincipal,
    @Client() client: ClientOrigin,
    @Body() body: VerifyRequest,
  ) {
    return this.wallets.link(environmentId, caller, body, client);
  }

  @Post('verify/link')
  @Operation({
    id: 'verifyLink',
    summary: 'Add a wallet to the signed-in user after verifying its signature',
    description:
      'Linking a new credential ends the other sessions of the user, who is notified at every proven address. A wallet of another account is refused with `reassign_wallet_confirm` if verifyTransfer can move it, and with `merge_accounts_confirmation` if it is the only way into that account.',
    errors: [403, 422, 503],
    sessionErrors: true,
    events: ['user.updated', 'user.session.revoked', 'wallet.linked'],
    limits: LIMITS,
  })
  @EndUser()
  @RecentProofAccepted('credential:link')
  @UseInterceptors(SessionCookies)
  @Returns(VerifyResponse)
  verifyLink(
    @Environment() environmentId: EnvironmentId,
    @Caller() caller: EndUserPrincipal,
    @Client() client: ClientOrigin,
    @Body() body: VerifyRequest,
  ) {
    return this.wallets.link(environmentId, caller, body, client);
  }

  @Post('verify/transfer')
  @Operation({
    id: 'verifyTransfer',
    summary: 'Move a wallet from its previous owner to the signed-in user once confirmed',
    description:
      'Takes the message of the refused link, or a new one. Both users are signed out everywhere and notified; the answer contains a new session. `requestedScopes` are refused: a wallet that belonged to another account proves nothing about this one.',
    errors: [403, 422, 503],
    sessionErrors: true,
    events: ['user.updated', 'user.session.created', 'user.session.revoked', 'wallet.transferred'],
    limits: LIMITS,
  })
  @EndUser()
  @RecentProofAccepted('credential:link')
  @UseInterceptors(SessionCookies)
  @Returns(VerifyResponse)
  verifyTransfer(
    @Environment() environmentId: EnvironmentId,
    @Caller() caller: EndUserPrincipal,
    @Client() client: ClientOrigin,
    @Body() body: VerifyRequest,
  ) {
    return this.wallets.transfer(environmentId, caller, body, client);
  }

  @Post('prefetch')
  @Operation({
    id: 'prefetch',
    summary: 'Warm name-service data for an address before sign-in',
    description:
      "An optional hint. Names are read from the service's own database, so there is nothing to warm: the call is validated and accepted.",
  })
  @Public()
  @ReturnsNothing(202)
  prefetch(@Environment() _environmentId: EnvironmentId, @Body() _body: PrefetchRequest) {
    return undefined;
  }
}
