import { Body, Delete, Get, Post } from '@nestjs/common';
import {
  Caller,
  Dashboard,
  Environment,
  RecentlyProven,
  type DashboardPrincipal,
  type EnvironmentId,
} from '../../auth/index.js';
import { ApiController, Operation, Returns, ReturnsNothing } from '../../common/http/operation.js';
import { IdParam } from '../../common/http/params.js';
import { CallWork, type Work } from '../../idempotency/index.js';
import { CustomHostname, CustomHostnameCreateRequest, CustomHostnamesResponse } from './custom-hostname.dto.js';
import { CUSTOM_HOSTNAME_CREATED, CUSTOM_HOSTNAME_DELETED, CUSTOM_HOSTNAME_UPDATED } from './custom-hostname.events.js';
import { CustomHostnamesService } from './custom-hostnames.service.js';

@ApiController('environments/:environmentId/custom/hostnames', 'CustomHostnames')
export class CustomHostnamesController {
  constructor(private readonly hostnames: CustomHostnamesService) {}

  @Get()
  @Operation({
    id: 'getCustomHostnames',
    summary: 'List custom hostnames and their state',
    errors: [422],
  })
  @Dashboard({ scope: 'environment.settings.read', role: 'viewer' })
  @Returns(CustomHostnamesResponse)
  getCustomHostnames(@Environment() environmentId: EnvironmentId) {
    return this.hostnames.list(environmentId);
  }

  @Post()
  @Operation({
    id: 'createCustomHostname',
    idempotent: true,
    summary: 'Register a custom hostname and return its DNS records',
    description: `The name is \`pending\` until both records of \`verificationRecords\` are in its DNS: the TXT record proves ownership of the name, the CNAME record points it here. They are looked up every minute in the first hour, then less often, for a week. When both are found, the name becomes \`active\` and \`${CUSTOM_HOSTNAME_UPDATED.name}\` is sent; it is checked again every week, and is in \`error\` if a record is missing. A name is active in one environment at a time. The operator of the service provides the certificate. Members need a proof from the last five minutes.`,
    errors: [422],
    events: [CUSTOM_HOSTNAME_CREATED.name],
    limits: ['20 host names in an environment'],
  })
  @Dashboard({ scope: 'environment.settings.write', role: 'developer' })
  @RecentlyProven('console:settings:update')
  @Returns(CustomHostname, { status: 201 })
  createCustomHostname(
    @Environment() environmentId: EnvironmentId,
    @Caller() caller: DashboardPrincipal,
    @Body() request: CustomHostnameCreateRequest,
    @CallWork() work: Work,
  ) {
    return this.hostnames.create(environmentId, request, caller, work);
  }

  @Delete(':customHostnameId')
  @Operation({
    id: 'deleteCustomHostname',
    summary: 'Remove a custom hostname',
    errors: [422],
    events: [CUSTOM_HOSTNAME_DELETED.name],
  })
  @Dashboard({ scope: 'environment.settings.write', role: 'developer' })
  @ReturnsNothing()
  deleteCustomHostname(
    @Environment() environmentId: EnvironmentId,
    @IdParam('customHostnameId') id: string,
    @Caller() caller: DashboardPrincipal,
  ) {
    return this.hostnames.delete(environmentId, id, caller);
  }
}
