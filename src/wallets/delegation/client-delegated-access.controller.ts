import { Body, Headers, Post, Put } from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';
import {
  Caller,
  Client,
  ELEVATED_TOKEN_HEADER,
  EndUser,
  Environment,
  SecondFactorFor,
  ServiceTokens,
  type ClientOrigin,
  type EndUserPrincipal,
  type EnvironmentId,
} from '../../auth/index.js';
import { ApiController, Operation, Returns } from '../../common/http/operation.js';
import { IdParam } from '../../common/http/params.js';
import { NOTIFIED_CHANGES_LIMIT } from '../../identity/index.js';
import {
  DelegatedShareDeliveryRequest,
  DelegatedShareDeliveryResponse,
  UpdateWaasWalletSettingsRequest,
  UpdateWaasWalletSettingsResponse,
} from './delegated-access.dto.js';
import { DELEGATION_CREATED, DELEGATION_REVOKED, WALLET_SETTINGS_UPDATED } from './delegated-access.events.js';
import { DelegationGiving } from './delegation-giving.js';
import { DelegationSettings } from './delegation-settings.js';

@ApiController('sdk/:environmentId/waas', 'Sdk')
export class ClientDelegatedAccessController {
  constructor(
    private readonly giving: DelegationGiving,
    private readonly settings: DelegationSettings,
  ) {}

  @Post(':walletId/delegatedAccess/delivery')
  @Operation({
    id: 'deliverDelegatedShare',
    summary: "Accept an encrypted share for the developer's delegated access",
    description:
      'A wallet of version V1 has no shares: the delivery is a sealed credential of 32 random bytes, which the client generates and then discards. The service forwards it in an event, cannot open it, and stores its hash. It replaces earlier access. The user is notified by email. Wallets with shared keys (version V3) are refused, and those whose custodian cannot sign.',
    errors: [403, 422],
    events: [DELEGATION_CREATED.name],
  })
  @EndUser()
  @ServiceTokens('wallets', 'mpc')
  @SecondFactorFor('wallet.waas.reshare')
  @ApiHeader({
    name: ELEVATED_TOKEN_HEADER,
    required: false,
    description:
      'The `elevatedAccessToken` of a proof with `wallet:delegate` among its `requestedScopes`. It is used up only if all other checks pass.',
    schema: { type: 'string' },
  })
  @Returns(DelegatedShareDeliveryResponse, { status: 202 })
  deliverDelegatedShare(
    @Environment() environmentId: EnvironmentId,
    @Caller() caller: EndUserPrincipal,
    @IdParam('walletId') walletId: string,
    @Headers(ELEVATED_TOKEN_HEADER) elevated: string | undefined,
    @Client() client: ClientOrigin,
    @Body() request: DelegatedShareDeliveryRequest,
  ) {
    return this.giving.give(environmentId, { caller, client }, { walletId, elevated: elevated ?? null }, request);
  }

  @Put(':walletId/settings')
  @Operation({
    id: 'updateWaasWalletSettings',
    summary: 'Record whether the user refuses delegated access',
    description: 'Refusing ends existing access. The user is notified by email when the refusal is lifted.',
    errors: [403, 422],
    events: [WALLET_SETTINGS_UPDATED.name, DELEGATION_REVOKED.name],
    limits: [NOTIFIED_CHANGES_LIMIT],
  })
  @EndUser()
  @ServiceTokens('wallets', 'mpc')
  @SecondFactorFor('wallet.waas.reshare')
  @Returns(UpdateWaasWalletSettingsResponse)
  updateWaasWalletSettings(
    @Environment() environmentId: EnvironmentId,
    @Caller() caller: EndUserPrincipal,
    @IdParam('walletId') walletId: string,
    @Client() client: ClientOrigin,
    @Body() { hasDeniedDelegatedAccess }: UpdateWaasWalletSettingsRequest,
  ) {
    return this.settings.update(environmentId, { caller, client }, walletId, hasDeniedDelegatedAccess);
  }
}
