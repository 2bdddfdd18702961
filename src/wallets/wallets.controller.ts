import { Delete, Get } from '@nestjs/common';
import { Dashboard, Environment, type EnvironmentId } from '../auth/index.js';
import { ApiController, Operation, Returns, ReturnsNothing } from '../common/http/operation.js';
import { IdParam } from '../common/http/params.js';
import { UserWallet } from '../identity/index.js';
import { UserWalletsResponse } from './wallet.dto.js';
import { WALLET_DELETED } from './wallet.events.js';
import { WalletsService } from './wallets.service.js';

@ApiController('environments/:environmentId', 'Wallets')
export class WalletsController {
  constructor(private readonly wallets: WalletsService) {}

  @Get('users/:userId/wallets')
  @Operation({ id: 'getWalletsByUserId', summary: "List a user's wallets" })
  @Dashboard({ scope: 'environment.users.read', role: 'viewer' })
  @Returns(UserWalletsResponse)
  getWalletsByUserId(@Environment() environmentId: EnvironmentId, @IdParam('userId') userId: string) {
    return this.wallets.listOfUser(environmentId, userId);
  }

  @Get('wallets/:walletId')
  @Operation({ id: 'getWalletById', summary: 'Read one wallet' })
  @Dashboard({ scope: 'environment.users.read', role: 'viewer' })
  @Returns(UserWallet)
  getWalletById(@Environment() environmentId: EnvironmentId, @IdParam('walletId') walletId: string) {
    return this.wallets.get(environmentId, walletId);
  }

  @Delete('wallets/:walletId')
  @Operation({
    id: 'deleteWalletById',
    summary: 'Delete one wallet',
    description:
      'Deletes the wallet and its credential. The seed of an embedded wallet is kept for the user: a wallet created again on the chain has the same address.',
    errors: [422],
    events: [WALLET_DELETED.name],
  })
  @Dashboard({ scope: 'environment.users.write', role: 'developer' })
  @ReturnsNothing()
  deleteWalletById(@Environment() environmentId: EnvironmentId, @IdParam('walletId') walletId: string) {
    return this.wallets.delete(environmentId, walletId);
  }
}
