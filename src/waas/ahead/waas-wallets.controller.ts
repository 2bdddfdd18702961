import { Body, Post, Res } from '@nestjs/common';
import type { Response } from 'express';
import { Caller, Dashboard, Environment, type DashboardPrincipal, type EnvironmentId } from '../../auth/index.js';
import { ApiController, Operation, Returns } from '../../common/http/operation.js';
import { CallWork, type Work } from '../../idempotency/index.js';
import { keyActorOf } from '../../custody/index.js';
import { USER_CREATED, UserResponse } from '../../identity/index.js';
import { WALLET_CREATED } from '../../wallets/index.js';
import { CreateUserWaasWalletsRequest } from './waas-wallet.dto.js';
import { WaasWalletsService } from './waas-wallets.service.js';

/** Wallets with shared keys that the servers of an application have made ahead. */
@ApiController('environments/:environmentId/waas', 'Waas')
export class WaasWalletsController {
  constructor(private readonly wallets: WaasWalletsService) {}

  @Post('create')
  @Operation({
    id: 'createWaasWallet',
    idempotent: true,
    summary: 'Pre-create wallets with shared keys for a user named by an identifier',
    description:
      'An identifier that is not known yet makes a new user; an unknown user id does not. One wallet for each chain: 201 when anything was created, 200 when the user had all of them. The service deals all shares, so it has the key until the user refreshes them: nothing is signed before. docs/threshold.md explains how the user gets the shares.',
    errors: [409, 422],
    events: [USER_CREATED.name, WALLET_CREATED.name],
  })
  @Dashboard({ scope: 'environment.users.write', role: 'developer' })
  @Returns(UserResponse, { status: 201, also: 200 })
  async createWaasWallet(
    @Environment() environmentId: EnvironmentId,
    @Caller() caller: DashboardPrincipal,
    @Body() request: CreateUserWaasWalletsRequest,
    @Res({ passthrough: true }) response: Response,
    @CallWork() work: Work,
  ) {
    const { user, created } = await this.wallets.create(environmentId, request, keyActorOf(caller), work);
    response.status(created ? 201 : 200);
    return { user };
  }
}
