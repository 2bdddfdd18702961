import { Get, Param } from '@nestjs/common';
import { ApiParam } from '@nestjs/swagger';
import {
  Caller,
  Dashboard,
  EndUser,
  Environment,
  type EndUserPrincipal,
  type EnvironmentId,
} from '../../auth/index.js';
import { ApiController, Operation, Returns } from '../../common/http/operation.js';
import { IdParam } from '../../common/http/params.js';
import { SdkUser } from '../../identity/index.js';
import { WaasWalletResponse } from './shared-wallet.dto.js';
import { SharedWalletsService } from './shared-wallets.service.js';

@ApiController('', 'Waas')
export class SharedWalletsController {
  constructor(private readonly wallets: SharedWalletsService) {}

  @Get('environments/:environmentId/waas/:walletId')
  @Operation({
    id: 'getWaasWalletByWalletId',
    summary: 'Read one wallet with a shared key',
    description: '`derivationPath` is empty: a shared key is not derived.',
    errors: [422],
  })
  @Dashboard({ scope: 'environment.users.read', role: 'viewer' })
  @Returns(WaasWalletResponse)
  getWaasWalletByWalletId(@Environment() environmentId: EnvironmentId, @IdParam('walletId') walletId: string) {
    return this.wallets.get(environmentId, walletId);
  }

  @Get('sdk/:environmentId/waas/byWalletAddress/:walletAddress')
  @Operation({
    id: 'getWaasWalletWithVerifiedCredentials',
    summary: 'Read the user view limited to one wallet with a shared key',
    errors: [403],
  })
  @ApiParam({ name: 'walletAddress', schema: { type: 'string', minLength: 1, maxLength: 255 } })
  @EndUser()
  @Returns(SdkUser)
  getWaasWalletWithVerifiedCredentials(
    @Environment() environmentId: EnvironmentId,
    @Caller() { userId }: EndUserPrincipal,
    @Param('walletAddress') address: string,
  ) {
    return this.wallets.userOf(environmentId, userId, address);
  }
}
