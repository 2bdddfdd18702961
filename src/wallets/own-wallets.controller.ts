import { Delete, Put } from '@nestjs/common';
import { Caller, EndUser, Environment, type EndUserPrincipal, type EnvironmentId } from '../auth/index.js';
import { ApiController, Operation, ReturnsNothing } from '../common/http/operation.js';
import { IdParam } from '../common/http/params.js';
import { HiddenWalletsService } from './hidden-wallets.service.js';
import { WALLET_DELETED, WALLET_RESTORED } from './wallet.events.js';

/** What users do with their wallets. */
@ApiController('sdk/:environmentId/users/embeddedWallets', 'Sdk')
export class OwnWalletsController {
  constructor(private readonly hiddenWallets: HiddenWalletsService) {}

  @Delete(':walletId/softDelete')
  @Operation({
    id: 'softDeleteEmbeddedWallet',
    summary: 'Hide an embedded wallet',
    description: 'Its keys are kept: restoring it brings back the same address. Hidden wallets cannot be used.',
    errors: [400, 401, 404, 422, 429],
    events: [WALLET_DELETED.name],
  })
  @EndUser()
  @ReturnsNothing()
  softDeleteEmbeddedWallet(
    @Environment() environmentId: EnvironmentId,
    @Caller() caller: EndUserPrincipal,
    @IdParam('walletId') walletId: string,
  ) {
    return this.hiddenWallets.hide(environmentId, caller, walletId);
  }

  @Put(':walletId/restore')
  @Operation({
    id: 'restoreEmbeddedWallet',
    summary: 'Bring back a hidden embedded wallet',
    errors: [400, 401, 404, 422, 429],
    events: [WALLET_RESTORED.name],
  })
  @EndUser()
  @ReturnsNothing()
  restoreEmbeddedWallet(
    @Environment() environmentId: EnvironmentId,
    @Caller() caller: EndUserPrincipal,
    @IdParam('walletId') walletId: string,
  ) {
    return this.hiddenWallets.restore(environmentId, caller, walletId);
  }
}
