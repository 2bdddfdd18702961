import { Body, Delete, Get, Post } from '@nestjs/common';
import {
  Caller,
  Dashboard,
  Environment,
  ScopedBy,
  type DashboardPrincipal,
  type EnvironmentId,
} from '../../auth/index.js';
import { ApiController, Operation, Returns, ReturnsNothing } from '../../common/http/operation.js';
import { IdParam } from '../../common/http/params.js';
import { CallWork, type Work } from '../../idempotency/index.js';
import { CreateWalletRequest, UserOwner, UserWallet } from '../../identity/index.js';
import { ExternalWalletsService } from './external-wallets.service.js';
import { UserWalletsResponse } from '../record/wallet.dto.js';
import { WALLET_DELETED, WALLET_LINKED } from '../record/wallet.events.js';
import { WalletTenant } from '../record/wallet-tenant.js';
import { WalletsService } from './wallets.service.js';

/** Wallet operations without the environment in the path, kept for older clients. */
@ApiController('', 'Wallets')
export class LegacyWalletsController {
  constructor(
    private readonly wallets: WalletsService,
    private readonly externalWallets: ExternalWalletsService,
  ) {}

  @Get('users/:userId/wallets')
  @Operation({
    id: 'getWalletsByUserIdLegacy',
    summary: "Older form of listing a user's wallets",

    deprecated: true,
  })
  @Dashboard({ scope: 'environment.users.read', role: 'viewer' })
  @ScopedBy(UserOwner, 'userId')
  @Returns(UserWalletsResponse)
  getWalletsByUserIdLegacy(@Environment() environmentId: EnvironmentId, @IdParam('userId') userId: string) {
    return this.wallets.listOfUser(environmentId, userId);
  }

  @Post('users/:userId/wallets')
  @Operation({
    id: 'createWalletLegacy',
    summary: 'Older form of attaching a wallet',
    errors: [422],
    events: [WALLET_LINKED.name],
    idempotent: true,
    deprecated: true,
  })
  @Dashboard({ scope: 'environment.users.write', role: 'developer' })
  @ScopedBy(UserOwner, 'userId')
  @Returns(UserWallet, { status: 201 })
  createWalletLegacy(
    @Environment() environmentId: EnvironmentId,
    @IdParam('userId') userId: string,
    @Caller() caller: DashboardPrincipal,
    @Body() request: CreateWalletRequest,
    @CallWork() work: Work,
  ) {
    return this.externalWallets.attach(environmentId, userId, request, caller, work);
  }

  @Get('wallets/:walletId')
  @Operation({
    id: 'getWalletByIdLegacy',
    summary: 'Older form of reading a wallet',

    deprecated: true,
  })
  @Dashboard({ scope: 'environment.users.read', role: 'viewer' })
  @ScopedBy(WalletTenant, 'walletId')
  @Returns(UserWallet)
  getWalletByIdLegacy(@Environment() environmentId: EnvironmentId, @IdParam('walletId') walletId: string) {
    return this.wallets.get(environmentId, walletId);
  }

  @Delete('wallets/:walletId')
  @Operation({
    id: 'deleteWalletByIdLegacy',
    summary: 'Older form of deleting a wallet',
    errors: [422],
    events: [WALLET_DELETED.name],
    deprecated: true,
  })
  @Dashboard({ scope: 'environment.users.write', role: 'developer' })
  @ScopedBy(WalletTenant, 'walletId')
  @ReturnsNothing()
  deleteWalletByIdLegacy(
    @Environment() environmentId: EnvironmentId,
    @IdParam('walletId') walletId: string,
    @Caller() caller: DashboardPrincipal,
  ) {
    return this.wallets.delete(environmentId, walletId, caller);
  }
}
