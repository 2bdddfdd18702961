import { Body, Get, Post, Put } from '@nestjs/common';
import {
  Caller,
  Client,
  EndUser,
  Environment,
  Public,
  type ClientOrigin,
  type EndUserPrincipal,
  type EnvironmentId,
} from '../../auth/index.js';
import { ApiController, Operation, Returns } from '../../common/http/operation.js';
import { IdParam } from '../../common/http/params.js';
import { GlobalWalletConnection, GlobalWalletConnectionCreateRequest } from './connection.dto.js';
import { CONNECTION_CREATED, CONNECTION_ENDED } from './connection.events.js';
import { ConnectionsService } from './connections.service.js';
import { GlobalWalletSettings } from './global-wallet.dto.js';
import { GlobalWalletService } from './global-wallet.service.js';

/** The global wallet as applications see it, and the sites that users connect it to. */
@ApiController('sdk/:environmentId/globalWallets', 'Sdk')
export class ClientGlobalWalletController {
  constructor(
    private readonly wallets: GlobalWalletService,
    private readonly connections: ConnectionsService,
  ) {}

  @Get('settings')
  @Operation({
    id: 'getGlobalWalletsSettings',
    summary: 'Give clients the global wallet settings',
    description: 'Only while the global wallet is enabled; otherwise 404.',
  })
  @Public()
  @Returns(GlobalWalletSettings)
  getGlobalWalletsSettings(@Environment() environmentId: EnvironmentId) {
    return this.wallets.getEnabled(environmentId);
  }

  @Post('connections')
  @Operation({
    id: 'createGlobalWalletConnection',
    summary: 'Record that a user connected the global wallet to an app',
    description:
      'The app is the site in the `Origin` header; the access control must allow it. Connecting a site again renews its connection.',
    errors: [403, 422],
    events: [CONNECTION_CREATED.name],
    limits: ['100 connected sites per user'],
  })
  @EndUser()
  @Returns(GlobalWalletConnection, { status: 201 })
  createGlobalWalletConnection(
    @Environment() environmentId: EnvironmentId,
    @Caller() caller: EndUserPrincipal,
    @Client() client: ClientOrigin,
    @Body() { expiresAt }: GlobalWalletConnectionCreateRequest,
  ) {
    return this.connections.connect(environmentId, caller, client, expiresAt);
  }

  @Put('connections/:globalWalletConnectionId/disconnect')
  @Operation({
    id: 'disconnectGlobalWalletConnection',
    summary: 'Mark a global wallet connection as ended',
    description: 'A connection that has ended is not changed.',
    errors: [403, 422],
    events: [CONNECTION_ENDED.name],
  })
  @EndUser()
  @Returns(GlobalWalletConnection)
  disconnectGlobalWalletConnection(
    @Environment() environmentId: EnvironmentId,
    @IdParam('globalWalletConnectionId') id: string,
    @Caller() caller: EndUserPrincipal,
  ) {
    return this.connections.disconnect(environmentId, caller, id);
  }
}
