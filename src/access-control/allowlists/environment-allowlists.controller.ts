import { Body, Get, Post } from '@nestjs/common';
import { Caller, Dashboard, Environment, type DashboardPrincipal, type EnvironmentId } from '../../auth/index.js';
import { ApiController, Operation, Returns } from '../../common/http/operation.js';
import { CallWork, type Work } from '../../idempotency/index.js';
import { Allowlist, PostAllowlistsRequest } from './allowlist.dto.js';
import { ALLOWLIST_CREATED } from './allowlist.events.js';
import { AllowlistsService } from './allowlists.service.js';

@ApiController('environments/:environmentId/allowlists', 'Allowlists')
export class EnvironmentAllowlistsController {
  constructor(private readonly lists: AllowlistsService) {}

  @Get()
  @Operation({ id: 'getAllowlistsByEnvironmentId', summary: 'List the allowlists of an environment', errors: [405] })
  @Dashboard({ scope: 'environment.settings.read', role: 'viewer' })
  @Returns(Allowlist, { list: true })
  getAllowlistsByEnvironmentId(@Environment() environmentId: EnvironmentId) {
    return this.lists.list(environmentId);
  }

  @Post()
  @Operation({
    id: 'createAllowlistByEnvironmentId',
    idempotent: true,
    summary: 'Create an allowlist',
    description: 'Created disabled, so that entries can be added first. The name appears in the `lists` of users.',
    errors: [422],
    events: [ALLOWLIST_CREATED.name],
    limits: ['50 allowlists per environment', 'name: required on creation'],
  })
  @Dashboard({ scope: 'environment.settings.write', role: 'developer' })
  @Returns(Allowlist, { status: 201 })
  createAllowlistByEnvironmentId(
    @Environment() environmentId: EnvironmentId,
    @Caller() caller: DashboardPrincipal,
    @Body() request: PostAllowlistsRequest,
    @CallWork() work: Work,
  ) {
    return this.lists.create(environmentId, request, caller, work);
  }
}
