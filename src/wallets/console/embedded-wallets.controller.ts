import { Body, Post, Res } from '@nestjs/common';
import type { Response } from 'express';
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
    summary: 'Pre-create an embedded wallet for a user named by an identifier',
    description:
      'An identifier that is not known yet makes a new user; an unknown user id does not. One wallet for each chain: 201 when anything was created, 200 when the user had all of them.',
    errors: [409, 422],
    events: EVENTS,
  })
  @Dashboard({ scope: 'environment.users.write', role: 'developer' })
  @Returns(UserResponse, { status: 201, also: 200 })
  async createEmbeddedWallet(
    @Environment() environmentId: EnvironmentId,
    @Caller() caller: DashboardPrincipal,
    @Body() request: CreateUserEmbeddedWalletsRequest,
    @Res({ passthrough: true }) response: Response,
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
      'The user is the one with the fid, else the one with the email, else a new one. If the user has already proven the email, the Farcaster account is attached but cannot be used to sign in. 201 when anything was created, 200 when the user had all wallets.',
    errors: [409, 422],
    events: EVENTS,
  })
  @Dashboard({ scope: 'environment.users.write', role: 'developer' })
  @Returns(UserResponse, { status: 201, also: 200 })
  async createEmbeddedWalletFromFrameapp(
    @Environment() environmentId: EnvironmentId,
    @Caller() caller: DashboardPrincipal,
    @Body() request: CreateUserEmbeddedWalletsFromFrameappRequest,
    @Res({ passthrough: true }) response: Response,
    @CallWork() work: Work,
  ) {
    return answer(
      await this.embeddedWallets.createFromFrameapp(environmentId, request, keyActorOf(caller), work),
      response,
    );
  }
}

function answer({ user, created }: PreparedUser, response: Response): { user: PreparedUser['user'] } {
  response.status(created ? 201 : 200);
  return { user };
}
