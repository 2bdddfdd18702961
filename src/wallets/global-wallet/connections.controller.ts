import { Get, Query } from '@nestjs/common';
import { Dashboard, Environment, type EnvironmentId } from '../../auth/index.js';
import { ApiController, Operation, Returns } from '../../common/http/operation.js';
import { GlobalWalletConnection, ListConnectionsQuery } from './connection.dto.js';
import { ConnectionsService } from './connections.service.js';

@ApiController('environments/:environmentId/globalWallet/connections', 'GlobalWalletConnections')
export class GlobalWalletConnectionsController {
  constructor(private readonly connections: ConnectionsService) {}

  @Get()
  @Operation({
    id: 'getGlobalWalletConnections',
    summary: 'List app connections of the global wallet',
    description:
      'Newest first. A connection is `disconnected` once it has expired, while the global wallet is off, and while its access control does not admit the site.',
    errors: [422],
  })
  @Dashboard({ scope: 'environment.settings.read', role: 'viewer' })
  @Returns(GlobalWalletConnection, { list: true })
  getGlobalWalletConnections(@Environment() environmentId: EnvironmentId, @Query() query: ListConnectionsQuery) {
    return this.connections.list(environmentId, query);
  }
}
