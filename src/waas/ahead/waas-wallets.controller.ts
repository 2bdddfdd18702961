import { Body, Post, Res } from '@nestjs/common';
import type { Response as ExpressResponse } from 'express';
import { Caller, Dashboard, Environment, type DashboardPrincipal, type EnvironmentId } from '../../auth/index.js';
import { ApiController, Operation, Returns } from '../../common/http/operation.js';
import { CallWork, type Work } from '../../idempotency/index.js';
import { keyActorOf } from '../../custody/index.js';
import { USER_CREATED, UserResponse } from '../../identity/index.js';
import { WALLET_CREATED } from '../../wallets/index.js';
import { CreateUserWaasWalletsRequest } from './waas-wallet.dto.js';
import { WaasWalletsService } from './waas-wallets.service.js';

/** Wallets with shared keys, made ahead by an application's servers. */
@ApiController('environments/:environmentId/waas', 'Waas')
export class WaasWalletsController {
  constructor(private readonly wallets: WaasWalletsService) {}

  @Post('create')
  @Operation({
    id: 'createWaasWallet',
    idempotent: true,
    summary: 'Pre-create wallets with shared keys for a user given by identifier',
    description:
      'An unknown identifier creates a user; an unknown user id does not. One wallet per chain: 201 if anything was created, 200 if the user already had all of them. The service deals all shares, so it knows the key until the user refreshes them; nothing can be signed before that. docs/threshold.md explains how a user obtains the shares.',
    errors: [409, 422],
    events: [USER_CREATED.name, WALLET_CREATED.name],
  })
  @Dashboard({ scope: 'environment.users.write', role: 'developer' })
  @Returns(UserResponse, { status: 201, also: 200 })
  async createWaasWallet(
    @Environment() environmentId: EnvironmentId,
    @Caller() caller: DashboardPrincipal,
    @Body() request: CreateUserWaasWalletsRequest,
    @Res({ passthrough: true }) response: ExpressResponse,
    @CallWork() work: Work,
  ) {
    const { user, created } = await this.wallets.create(environmentId, request, keyActorOf(caller), work);
    response.status(created ? 201 : 200);
    return { user };
  }
}
