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
    summary: 'List custom hostnames and their status',
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
    description: `The name is \`pending\` until both records of \`verificationRecords\` are in the DNS: the TXT record proves ownership, the CNAME record points the name here. They are checked every minute for the first hour, then less often. Once both are found, the name is \`active\` and \`${CUSTOM_HOSTNAME_UPDATED.name}\` is sent. It changes to \`error\` after a week without the records, or when the weekly check of an active name finds one missing; checks continue, and it becomes \`active\` once both are found. A name can be active in only one environment at a time. The operator of the service provides the TLS certificate. Members need a proof from the last five minutes.`,
    errors: [422],
    events: [CUSTOM_HOSTNAME_CREATED.name],
    limits: ['20 hostnames per environment'],
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
