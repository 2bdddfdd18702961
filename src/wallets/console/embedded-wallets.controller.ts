import { Body, Post, Res } from '@nestjs/common';
import type { Response as ExpressResponse } from 'express';
import { Caller, Dashboard, Environment, type DashboardPrincipal, type EnvironmentId } from '../../auth/index.js';
import { ApiController, Operation, Returns } from '../../common/http/operation.js';
import { CallWork, type Work } from '../../idempotency/index.js';
import { keyActorOf } from '../../custody/index.js';
import { USER_CREATED, UserResponse } from '../../identity/index.js';
import {
  CreateUserEmbeddedWalletsFromFrameappRequest,
  CreateUserEmbeddedWalletsRequest,
} from '../record/embedded-wallet.dto.js';
import { EmbeddedWalletsService, type PreparedUser } from './embedded-wallets.service.js';
import { WALLET_CREATED } from '../record/wallet.events.js';

const EVENTS = [USER_CREATED.name, WALLET_CREATED.name];

@ApiController('environments/:environmentId/embeddedWallets', 'Wallets')
export class EmbeddedWalletsController {
  constructor(private readonly embeddedWallets: EmbeddedWalletsService) {}

  @Post()
  @Operation({
    id: 'createEmbeddedWallet',
    idempotent: true,
    summary: 'Pre-create an embedded wallet for a user given by identifier',
    description:
      'An unknown identifier creates a user; an unknown user id does not. One wallet per chain: 201 if anything was created, 200 if the user already had all of them.',
    errors: [409, 422],
    events: EVENTS,
  })
  @Dashboard({ scope: 'environment.users.write', role: 'developer' })
  @Returns(UserResponse, { status: 201, also: 200 })
  async createEmbeddedWallet(
    @Environment() environmentId: EnvironmentId,
    @Caller() caller: DashboardPrincipal,
    @Body() request: CreateUserEmbeddedWalletsRequest,
    @Res({ passthrough: true }) response: ExpressResponse,
    @CallWork() work: Work,
  ) {
    return answer(await this.embeddedWallets.create(environmentId, request, keyActorOf(caller), work), response);
  }

  @Post('frameapp')
  @Operation({
    id: 'createEmbeddedWalletFromFrameapp',
    idempotent: true,
    summary: 'Pre-create embedded wallets on behalf of a frame server',
    description:
      'The user is looked up by fid, then by email, and created if neither is known. If the email belongs to a user who has proven it before, the frame-network account is attached without becoming a way to sign in. 201 if anything was created, 200 if the user already had all wallets.',
    errors: [409, 422],
    events: EVENTS,
  })
  @Dashboard({ scope: 'environment.users.write', role: 'developer' })
  @Returns(UserResponse, { status: 201, also: 200 })
  async createEmbeddedWalletFromFrameapp(
    @Environment() environmentId: EnvironmentId,
    @Caller() caller: DashboardPrincipal,
    @Body() request: CreateUserEmbeddedWalletsFromFrameappRequest,
    @Res({ passthrough: true }) response: ExpressResponse,
    @CallWork() work: Work,
  ) {
    return answer(
      await this.embeddedWallets.createFromFrameapp(environmentId, request, keyActorOf(caller), work),
      response,
    );
  }
}

function answer({ user, created }: PreparedUser, response: ExpressResponse): { user: PreparedUser['user'] } {
  response.status(created ? 201 : 200);
  return { user };
}
