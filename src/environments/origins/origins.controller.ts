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
import { OriginOwner } from './origin-owner.js';
import { OriginCreateRequest, OriginCreateResponse, OriginsResponse } from './origin.dto.js';
import { ORIGIN_CREATED, ORIGIN_DELETED } from './origin.events.js';
import { OriginsService } from './origins.service.js';

const WITHIN = 'A change takes effect on every instance within one second.';

@ApiController('', 'Origins')
export class OriginsController {
  constructor(private readonly origins: OriginsService) {}

  @Get('environments/:environmentId/origins')
  @Operation({ id: 'getOrigins', summary: 'List the allowed origins' })
  @Dashboard({ scope: 'environment.settings.read', role: 'viewer' })
  @Returns(OriginsResponse)
  getOrigins(@Environment() environmentId: EnvironmentId) {
    return this.origins.list(environmentId);
  }

  @Post('environments/:environmentId/origins')
  @Operation({
    id: 'addOrigin',
    idempotent: true,
    summary: 'Allow a browser origin',
    description: `Pages of this site can call \`/sdk/{environmentId}\` from a browser, with credentials. ${WITHIN}`,
    errors: [422],
    events: [ORIGIN_CREATED.name],
    limits: [
      '100 origins per environment',
      'http: only localhost, in a sandbox',
      'one wildcard, as the leftmost label',
    ],
  })
  @Dashboard({ scope: 'environment.settings.write', role: 'developer' })
  @Returns(OriginCreateResponse, { status: 201 })
  addOrigin(
    @Environment() environmentId: EnvironmentId,
    @Caller() caller: DashboardPrincipal,
    @Body() request: OriginCreateRequest,
    @CallWork() work: Work,
  ) {
    return this.origins.add(environmentId, request, caller, work);
  }

  @Delete('origins/:originId')
  @Operation({
    id: 'deleteOriginById',
    summary: 'Remove an allowed origin',
    description: `Browsers no longer pass responses to pages of this site, and tokens of sessions started there are refused until it is added again; service tokens of these sessions expire after at most five minutes. ${WITHIN}`,
    events: [ORIGIN_DELETED.name],
  })
  @Dashboard({ scope: 'environment.settings.write', role: 'developer' })
  @ScopedBy(OriginOwner, 'originId')
  @ReturnsNothing()
  deleteOriginById(
    @Environment() environmentId: EnvironmentId,
    @IdParam('originId') id: string,
    @Caller() caller: DashboardPrincipal,
  ) {
    return this.origins.delete(environmentId, id, caller);
  }
}
