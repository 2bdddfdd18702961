import { Body, Get, Headers, Post } from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';
import {
  Caller,
  Client,
  ELEVATED_TOKEN_HEADER,
  EndUser,
  Environment,
  SecondFactorFor,
  type ClientOrigin,
  type EndUserPrincipal,
  type EnvironmentId,
  ServiceTokens,
} from '../../auth/index.js';
import { ApiController, Operation, Returns } from '../../common/http/operation.js';
import { IdParam } from '../../common/http/params.js';
import { EXPORTS } from '../../custody/index.js';
import { WALLET_EXPORTED } from '../record/wallet.events.js';
import {
  ExportEmbeddedWalletResponse,
  ExportWaasWalletPrivateKeyRequest,
  OpenRoomResponseWithServerKeygenIds,
} from './wallet-export.dto.js';
import { WalletExports } from './wallet-exports.service.js';

@ApiController('sdk/:environmentId', 'Sdk')
export class WalletExportsController {
  constructor(private readonly exports: WalletExports) {}

  @Post('waas/:walletId/privateKey/export')
  @Operation({
    id: 'exportPrivateKey',
    summary: 'Open the ceremony that exports a private key',
    description:
      'The key is sealed to `exportId` with HPKE (RFC 9180, base mode). Fetch it once, within five minutes and from the same session: embeddedWalletExport, with `roomId` as the activity. The user is notified by email. A deployment can delay the fetch; the export then does not start if the email cannot be sent. docs/wallet-export.md shows how to open the bundle.',
    errors: [403, 422, 503],
    limits: [`${EXPORTS.limit} exports per hour and user`],
  })
  @EndUser()
  @ServiceTokens('wallets', 'mpc')
  @SecondFactorFor('wallet.waas.export')
  @ApiHeader({
    name: ELEVATED_TOKEN_HEADER,
    required: false,
    description:
      'The `elevatedAccessToken` of a proof with `wallet:export` among its `requestedScopes`. It is used up only if all other checks pass.',
    schema: { type: 'string' },
  })
  @Returns(OpenRoomResponseWithServerKeygenIds)
  exportPrivateKey(
    @Environment() environmentId: EnvironmentId,
    @Caller() caller: EndUserPrincipal,
    @Client() client: ClientOrigin,
    @IdParam('walletId') walletId: string,
    @Headers(ELEVATED_TOKEN_HEADER) elevated: string | undefined,
    @Body() request: ExportWaasWalletPrivateKeyRequest,
  ) {
    return this.exports.open(environmentId, caller, { walletId, elevated: elevated ?? null, client }, request);
  }

  @Get('users/embeddedWallets/:walletId/activities/:activityId/export')
  @Operation({
    id: 'embeddedWalletExport',
    noHead: true,
    summary: 'Fetch the export bundle of a wallet export activity',
    description:
      'Single-use, by the session that started it with exportPrivateKey, within five minutes, or within a day after the delay that the deployment sets. The export is recorded in the key ledger.',
    errors: [400, 403, 422],
    events: [WALLET_EXPORTED.name],
  })
  @EndUser()
  @ServiceTokens('wallets', 'mpc')
  @Returns(ExportEmbeddedWalletResponse)
  embeddedWalletExport(
    @Environment() environmentId: EnvironmentId,
    @Caller() caller: EndUserPrincipal,
    @IdParam('walletId') walletId: string,
    @IdParam('activityId') activityId: string,
  ) {
    return this.exports.fetch(environmentId, caller, walletId, activityId);
  }
}
