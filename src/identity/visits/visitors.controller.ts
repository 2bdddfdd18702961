import { Get, Query } from '@nestjs/common';
import { Dashboard, Environment, type EnvironmentId } from '../../auth/index.js';
import { ApiController, Operation, Returns } from '../../common/http/operation.js';
import { EnvironmentVisitorsResponse, ListVisitorsQuery, VisitorsResponse } from './visitor.dto.js';
import { VisitorsService } from './visitors.service.js';

@ApiController('environments/:environmentId/visitors', 'Visits')
export class VisitorsController {
  constructor(private readonly visitors: VisitorsService) {}

  @Get()
  @Operation({
    id: 'getEnvironmentVisitors',
    summary: 'List wallets that connected without signing in',
    description: 'Nobody has proven ownership of these wallets: the pages only report which address connected.',
    limits: [
      'filterColumn id and walletPublicKey match whole values, addresses ignoring case; all matches either',
      'orderBy: createdAt; newest first by default',
      'Wallets that have not visited for a year are deleted',
    ],
  })
  @Dashboard({ scope: 'environment.users.read', role: 'viewer' })
  @Returns(VisitorsResponse)
  getEnvironmentVisitors(@Environment() environmentId: EnvironmentId, @Query() query: ListVisitorsQuery) {
    return this.visitors.list(environmentId, query);
  }
}

@ApiController('environments/:environmentId/statistics', 'Environments')
export class VisitorCountsController {
  constructor(private readonly visitors: VisitorsService) {}

  @Get('visitors')
  @Operation({ id: 'getVisitorsCountByEnvironmentId', summary: 'Count users and visitors of an environment' })
  @Dashboard({ scope: 'environment.analytics.read', role: 'viewer' })
  @Returns(EnvironmentVisitorsResponse)
  getVisitorsCountByEnvironmentId(@Environment() environmentId: EnvironmentId) {
    return this.visitors.count(environmentId);
  }
}
