import { Body, Delete, Get, Post, Query } from '@nestjs/common';
import { Caller, Dashboard, Environment, type DashboardPrincipal, type EnvironmentId } from '../../auth/index.js';
import { ApiController, Operation, Returns, ReturnsEnumList, ReturnsNothing } from '../../common/http/operation.js';
import { IdParam } from '../../common/http/params.js';
import { CallWork, type Work } from '../../idempotency/index.js';
import { keyActorOf } from '../../custody/index.js';
import { CreateWalletRequest, EMBEDDED_WALLET_VERSIONS, UserWallet } from '../../identity/index.js';
import { ExternalWalletsService } from './external-wallets.service.js';
import { MAX_EXTERNAL_PER_USER } from '../record/wallet-limits.js';
import { HiddenWalletsService } from '../own/hidden-wallets.service.js';
import {
  ListWalletsQuery,
  WalletRecoveryRequest,
  WalletRecoveryResponse,
  WalletsResponse,
} from '../record/wallet-detail.dto.js';
import { UserWalletsResponse } from '../record/wallet.dto.js';
import { WALLET_DELETED, WALLET_LINKED, WALLET_RESTORED } from '../record/wallet.events.js';
import { WalletsService } from './wallets.service.js';

@ApiController('environments/:environmentId', 'Wallets')
export class WalletsController {
  constructor(
    private readonly wallets: WalletsService,
    private readonly externalWallets: ExternalWalletsService,
    private readonly hiddenWallets: HiddenWalletsService,
  ) {}

  @Get('users/:userId/wallets')
  @Operation({ id: 'getWalletsByUserId', summary: "List a user's wallets" })
  @Dashboard({ scope: 'environment.users.read', role: 'viewer' })
  @Returns(UserWalletsResponse)
  getWalletsByUserId(@Environment() environmentId: EnvironmentId, @IdParam('userId') userId: string) {
    return this.wallets.listOfUser(environmentId, userId);
  }

  @Post('users/:userId/wallets')
  @Operation({
    id: 'createWallet',
    summary: 'Attach an external wallet to a user',
    description:
      'This proves nothing, and the same address can be attached to other users. Signing in with the wallet opens the account only while nobody has ever proven to be its user; after that it creates a separate user. A user can have each address only once.',
    errors: [422],
    events: [WALLET_LINKED.name],
    limits: [`${MAX_EXTERNAL_PER_USER} external wallets per user`],
    idempotent: true,
  })
  @Dashboard({ scope: 'environment.users.write', role: 'developer' })
  @Returns(UserWallet, { status: 201 })
  createWallet(
    @Environment() environmentId: EnvironmentId,
    @IdParam('userId') userId: string,
    @Caller() caller: DashboardPrincipal,
    @Body() request: CreateWalletRequest,
    @CallWork() work: Work,
  ) {
    return this.externalWallets.attach(environmentId, userId, request, caller, work);
  }

  @Get('wallets')
  @Operation({
    id: 'getWalletsByEnvironmentId',
    summary: 'List all wallets of an environment',
    description: 'Newest first. Includes wallets hidden by their users, with `deletedAt`.',
  })
  @Dashboard({ scope: 'environment.users.read', role: 'viewer' })
  @Returns(WalletsResponse)
  getWalletsByEnvironmentId(@Environment() environmentId: EnvironmentId, @Query() query: ListWalletsQuery) {
    return this.wallets.page(environmentId, query);
  }

  @Post('wallets/recover')
  @Operation({
    id: 'recoverDeletedWalletsWithEnvironment',
    summary: "Undo soft deletion of a user's wallets",
    description: 'Restores every embedded wallet that the user has hidden. Deleted wallets cannot be restored.',

    events: [WALLET_RESTORED.name],
  })
  @Dashboard({ scope: 'environment.users.write', role: 'developer' })
  @Returns(WalletRecoveryResponse)
  recoverDeletedWalletsWithEnvironment(
    @Environment() environmentId: EnvironmentId,
    @Caller() caller: DashboardPrincipal,
    @Body() request: WalletRecoveryRequest,
  ) {
    return this.hiddenWallets.recover(environmentId, request, keyActorOf(caller));
  }

  @Get('embeddedWalletVersions')
  @Operation({
    id: 'getActiveEmbeddedWalletVersionsForEnvironment',
    summary: 'List the embedded wallet versions in use',
  })
  @Dashboard({ scope: 'environment.users.read', role: 'viewer' })
  @ReturnsEnumList(EMBEDDED_WALLET_VERSIONS)
  getActiveEmbeddedWalletVersionsForEnvironment(@Environment() environmentId: EnvironmentId) {
    return this.wallets.versionsInUse(environmentId);
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
      'Deletes the wallet and its credential. The seed of an embedded wallet is kept for the user: a new wallet on the same chain has the same address, unless the user has meanwhile deleted all other wallets of the seed or upgraded them to shared keys. An upgrade destroys the seed at once. An imported key is destroyed after 30 days, as is a seed with its last wallet if others of it were upgraded.',
    errors: [422],
    events: [WALLET_DELETED.name],
  })
  @Dashboard({ scope: 'environment.users.write', role: 'developer' })
  @ReturnsNothing()
  deleteWalletById(
    @Environment() environmentId: EnvironmentId,
    @IdParam('walletId') walletId: string,
    @Caller() caller: DashboardPrincipal,
  ) {
    return this.wallets.delete(environmentId, walletId, caller);
  }
}
