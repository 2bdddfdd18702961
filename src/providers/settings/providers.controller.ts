import { Body, Get, Param, Post } from '@nestjs/common';
import {
  Caller,
  Dashboard,
  Environment,
  RecentlyProven,
  type DashboardPrincipal,
  type EnvironmentId,
} from '../../auth/index.js';
import { ApiController, Operation, Returns } from '../../common/http/operation.js';
import { CallWork, type Work } from '../../idempotency/index.js';
import {
  Provider,
  ProviderCreateRequest,
  ProviderRecord,
  ProvidersResponse,
  ProviderUpdateRequest,
  ProviderUrlsResponse,
} from './provider.dto.js';
import { PROVIDER_CREATED } from './provider.events.js';
import { ProviderDirectory } from './provider-directory.service.js';
import { ProvidersService } from './providers.service.js';

const LIMITS = ['100 providers per environment, one enabled per type'];

@ApiController('environments/:environmentId/settings/providers', 'Settings')
export class ProvidersController {
  constructor(
    private readonly providers: ProvidersService,
    private readonly directory: ProviderDirectory,
  ) {}

  @Get()
  @Operation({ id: 'getEnvironmentProviders', summary: "List the environment's providers" })
  @Dashboard({ scope: 'environment.settings.read', role: 'viewer' })
  @Returns(ProvidersResponse)
  getEnvironmentProviders(@Environment() environmentId: EnvironmentId) {
    return this.providers.list(environmentId);
  }

  @Get('urls')
  @Operation({
    id: 'getEnvironmentProviderUrls',
    summary: 'List authorization and redirect addresses per provider type',
    description: 'Register the redirect address with the provider.',
  })
  @Dashboard({ scope: 'environment.settings.read', role: 'viewer' })
  @Returns(ProviderUrlsResponse)
  getEnvironmentProviderUrls(@Environment() environmentId: EnvironmentId) {
    return this.directory.listUrls(environmentId);
  }

  @Post()
  @Operation({
    id: 'createProvider',
    idempotent: true,
    summary: 'Create a sign-in provider, disabled',
    description:
      'Accepts only fields that the provider type declares. The secret is stored encrypted, shown masked and never returned. Members need a proof from the last five minutes.',
    errors: [422],
    events: [PROVIDER_CREATED.name],
    limits: LIMITS,
  })
  @Dashboard({ scope: 'environment.settings.write', role: 'developer' })
  @RecentlyProven('console:settings:update')
  @Returns(Provider, { status: 201 })
  createProvider(
    @Environment() environmentId: EnvironmentId,
    @Caller() caller: DashboardPrincipal,
    @Body() request: ProviderCreateRequest,
    @CallWork() work: Work,
  ) {
    return this.providers.create(environmentId, request.provider, request, caller, work);
  }

  @Post('type/:providerType')
  @Operation({
    id: 'createProviderOfType',
    idempotent: true,
    summary: 'Create a provider of the type in the path, disabled',
    description:
      'Supports every provider type of this service, including those that `createProvider` does not list. Members need a proof from the last five minutes.',
    errors: [422],
    events: [PROVIDER_CREATED.name],
    limits: LIMITS,
  })
  @Dashboard({ scope: 'environment.settings.write', role: 'developer' })
  @RecentlyProven('console:settings:update')
  @Returns(ProviderRecord, { status: 201 })
  createProviderOfType(
    @Environment() environmentId: EnvironmentId,
    @Param('providerType') type: string,
    @Caller() caller: DashboardPrincipal,
    @Body() request: ProviderUpdateRequest,
    @CallWork() work: Work,
  ) {
    return this.directory.createOfType(environmentId, type, request, caller, work);
  }
}
