import { Body, Delete, Post, Put, UseInterceptors } from '@nestjs/common';
import {
  Caller,
  Client,
  EndUser,
  Environment,
  SecondFactorFor,
  type ClientOrigin,
  type EndUserPrincipal,
  type EnvironmentId,
  ServiceTokens,
} from '../../auth/index.js';
import { ApiController, Operation, Returns, ReturnsNothing } from '../../common/http/operation.js';
import { IdParam } from '../../common/http/params.js';
import { SessionCookies, USER_UPDATED, VerifyResponse } from '../../identity/index.js';
import { DELEGATION_REVOKED } from '../delegation/delegated-access.events.js';
import { HiddenWalletsService } from './hidden-wallets.service.js';
import { OwnEmbeddedWalletsService } from './own-embedded-wallets.service.js';
import {
  CreateEmbeddedWalletsRequest,
  EmbeddedWalletPasscodeClaimRequest,
  UserWalletSelectionRequest,
} from './own-wallet.dto.js';
import { WalletClaims } from '../claims/wallet-claims.service.js';
import { WalletSelection } from './wallet-selection.service.js';
import { WALLET_CREATED, WALLET_DELETED, WALLET_RESTORED } from '../record/wallet.events.js';

/** Operations of users on their wallets. */
@ApiController('sdk/:environmentId/users', 'Sdk')
export class OwnWalletsController {
  constructor(
    private readonly ownWallets: OwnEmbeddedWalletsService,
    private readonly hiddenWallets: HiddenWalletsService,
    private readonly selection: WalletSelection,
    private readonly claims: WalletClaims,
  ) {}

  @Post('embeddedWallets')
  @Operation({
    id: 'createEmbeddedWallets',
    summary: 'Let the signed-in user create embedded wallets',
    description:
      'One wallet per chain, all from one seed, for a user without an embedded wallet. They belong to the user from the start. The tokens in the answer include them; existing tokens stay valid.',
    errors: [403, 409, 422],
    sessionErrors: true,
    events: [WALLET_CREATED.name],
  })
  @EndUser()
  @UseInterceptors(SessionCookies)
  @Returns(VerifyResponse, { status: 201 })
  createEmbeddedWallets(
    @Environment() environmentId: EnvironmentId,
    @Caller() caller: EndUserPrincipal,
    @Client() client: ClientOrigin,
    @Body() request: CreateEmbeddedWalletsRequest,
  ) {
    return this.ownWallets.create(environmentId, caller, request, client);
  }

  @Put('embeddedWallets/passcode/claim')
  @Operation({
    id: 'claimEmbeddedWallet',
    summary: 'Take ownership of a pregenerated wallet',
    description:
      'The wallet was created ahead of time for an identifier that the caller has proven by signing in. Only claimed wallets can sign. Claiming again is a no-op.',
    errors: [403, 422],
    sessionErrors: true,
    events: [USER_UPDATED.name],
  })
  @EndUser()
  @SecondFactorFor('wallet.waas.refresh')
  @UseInterceptors(SessionCookies)
  @Returns(VerifyResponse)
  claimEmbeddedWallet(
    @Environment() environmentId: EnvironmentId,
    @Caller() caller: EndUserPrincipal,
    @Client() client: ClientOrigin,
    @Body() { walletId }: EmbeddedWalletPasscodeClaimRequest,
  ) {
    return this.claims.claim(environmentId, caller, walletId, client);
  }

  @Put('wallets/selection')
  @Operation({
    id: 'selectUserWallet',
    summary: 'Make a wallet the primary one',
    description: 'From now on the user is known by the address of this wallet, in answers and tokens.',
    errors: [403, 422],
    sessionErrors: true,
    events: [USER_UPDATED.name],
  })
  @EndUser()
  @UseInterceptors(SessionCookies)
  @Returns(VerifyResponse)
  selectUserWallet(
    @Environment() environmentId: EnvironmentId,
    @Caller() caller: EndUserPrincipal,
    @Client() client: ClientOrigin,
    @Body() { walletId }: UserWalletSelectionRequest,
  ) {
    return this.selection.select(environmentId, caller, walletId, client);
  }

  @Delete('embeddedWallets/:walletId/softDelete')
  @Operation({
    id: 'softDeleteEmbeddedWallet',
    summary: 'Hide an embedded wallet',
    description:
      'Its keys are kept: restoring it brings back the same address. Hidden wallets cannot be used. Delegated access ends, and so do pending exports of its key.',
    errors: [400, 422],
    events: [DELEGATION_REVOKED.name, WALLET_DELETED.name],
  })
  @EndUser()
  @ServiceTokens('wallets')
  @ReturnsNothing()
  softDeleteEmbeddedWallet(
    @Environment() environmentId: EnvironmentId,
    @Caller() caller: EndUserPrincipal,
    @IdParam('walletId') walletId: string,
  ) {
    return this.hiddenWallets.hide(environmentId, caller, walletId);
  }

  @Put('embeddedWallets/:walletId/restore')
  @Operation({
    id: 'restoreEmbeddedWallet',
    summary: 'Restore a hidden embedded wallet',
    errors: [400, 422],
    events: [WALLET_RESTORED.name],
  })
  @EndUser()
  @ServiceTokens('wallets')
  @ReturnsNothing()
  restoreEmbeddedWallet(
    @Environment() environmentId: EnvironmentId,
    @Caller() caller: EndUserPrincipal,
    @IdParam('walletId') walletId: string,
  ) {
    return this.hiddenWallets.restore(environmentId, caller, walletId);
  }
}
