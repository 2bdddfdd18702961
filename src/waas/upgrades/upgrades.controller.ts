import { Body, Post, UseInterceptors } from '@nestjs/common';
import {
  Caller,
  Client,
  EndUser,
  Environment,
  RecentProofAccepted,
  SecondFactorFor,
  type ClientOrigin,
  type EndUserPrincipal,
  type EnvironmentId,
} from '../../auth/index.js';
import { ApiController, Operation, Returns } from '../../common/http/operation.js';
import { SessionCookies, VerifyResponse } from '../../identity/index.js';
import { UpgradeEmbeddedWalletToV2Request } from './upgrade.dto.js';
import { UpgradesService } from './upgrades.service.js';

@ApiController('sdk/:environmentId/users/embeddedWallets', 'Sdk')
export class UpgradesController {
  constructor(private readonly upgrades: UpgradesService) {}

  @Post('upgradeToV2')
  @Operation({
    id: 'upgradeEmbeddedWalletToV2',
    summary: 'Move embedded wallets on Solana and Sui from a key held by the service to a shared key',
    description:
      'The service deals shares of the same keys, so the addresses do not change. The user fetches their shares with getEmbeddedWalletPasscode and recoverKeyShares and refreshes them with refreshKeyShares: the wallet then has version V3 (threshold, not split), and the key that the service held is destroyed. Until then the wallet stays as it is. A seed that wallets on other chains are derived from is not upgraded: if there are no other keys, the call is refused with `seed_still_needed`. docs/threshold.md describes the steps.',
    errors: [403, 422],
    sessionErrors: true,
  })
  @EndUser()
  @SecondFactorFor('wallet.waas.reshare')
  @RecentProofAccepted('wallet:restore')
  @UseInterceptors(SessionCookies)
  @Returns(VerifyResponse, { status: 201 })
  upgradeEmbeddedWalletToV2(
    @Environment() environmentId: EnvironmentId,
    @Caller() caller: EndUserPrincipal,
    @Client() client: ClientOrigin,
    @Body() request: UpgradeEmbeddedWalletToV2Request,
  ) {
    return this.upgrades.begin(environmentId, caller, request, client);
  }
}
