import { Body, Delete, Get, Put } from '@nestjs/common';
import {
  Caller,
  Dashboard,
  Environment,
  RecentlyProven,
  ScopedBy,
  type DashboardPrincipal,
  type EnvironmentId,
} from '../../auth/index.js';
import { ApiController, Operation, Returns, ReturnsNothing } from '../../common/http/operation.js';
import { IdParam } from '../../common/http/params.js';
import { ProviderRecord, ProviderUpdateRequest } from './provider.dto.js';
import { PROVIDER_DELETED, PROVIDER_DISABLED, PROVIDER_ENABLED, PROVIDER_UPDATED } from './provider.events.js';
import { ProviderOwner } from './provider-owner.js';
import { ProvidersService } from './providers.service.js';

@ApiController('settings/providers/:providerId', 'Settings')
export class ProviderController {
  constructor(private readonly providers: ProvidersService) {}

  @Get()
  @Operation({ id: 'getProvider', summary: 'Read one provider', errors: [400, 422] })
  @Dashboard({ scope: 'environment.settings.read', role: 'viewer' })
  @ScopedBy(ProviderOwner, 'providerId')
  @Returns(ProviderRecord)
  getProvider(@Environment() environmentId: EnvironmentId, @IdParam('providerId') id: string) {
    return this.providers.get(environmentId, id);
  }

  @Put()
  @Operation({
    id: 'updateProvider',
    summary: "Change a provider's settings",
    description:
      'Omitted fields keep their values, an empty string removes one. A new client id or address requires the secret again. An enabled provider must remain complete. Members need a proof from the last five minutes.',
    errors: [422],
    events: [PROVIDER_UPDATED.name],
  })
  @Dashboard({ scope: 'environment.settings.write', role: 'developer' })
  @RecentlyProven('console:settings:update')
  @ScopedBy(ProviderOwner, 'providerId')
  @Returns(ProviderRecord)
  updateProvider(
    @Environment() environmentId: EnvironmentId,
    @IdParam('providerId') id: string,
    @Caller() caller: DashboardPrincipal,
    @Body() request: ProviderUpdateRequest,
  ) {
    return this.providers.update(environmentId, id, request, caller);
  }

  @Delete()
  @Operation({
    id: 'deleteProvider',
    summary: 'Delete a provider',
    errors: [422],
    events: [PROVIDER_DELETED.name],
  })
  @Dashboard({ scope: 'environment.settings.write', role: 'developer' })
  @ScopedBy(ProviderOwner, 'providerId')
  @ReturnsNothing()
  deleteProvider(
    @Environment() environmentId: EnvironmentId,
    @IdParam('providerId') id: string,
    @Caller() caller: DashboardPrincipal,
  ) {
    return this.providers.delete(environmentId, id, caller);
  }

  @Put('enable')
  @Operation({
    id: 'enableProvider',
    summary: 'Turn a provider on',
    description:
      'Everything that is missing is listed in one answer. For OpenID Connect providers, the configuration is fetched.',
    errors: [422],
    events: [PROVIDER_ENABLED.name],
    limits: ['One enabled provider of each type in an environment', 'Discovery: 5-second timeout, 64 KB'],
  })
  @Dashboard({ scope: 'environment.settings.write', role: 'developer' })
  @ScopedBy(ProviderOwner, 'providerId')
  @Returns(ProviderRecord)
  enableProvider(
    @Environment() environmentId: EnvironmentId,
    @IdParam('providerId') id: string,
    @Caller() caller: DashboardPrincipal,
  ) {
    return this.providers.enable(environmentId, id, caller);
  }

  @Put('disable')
  @Operation({
    id: 'disableProvider',
    summary: 'Turn a provider off',
    errors: [422],
    events: [PROVIDER_DISABLED.name],
  })
  @Dashboard({ scope: 'environment.settings.write', role: 'developer' })
  @ScopedBy(ProviderOwner, 'providerId')
  @Returns(ProviderRecord)
  disableProvider(
    @Environment() environmentId: EnvironmentId,
    @IdParam('providerId') id: string,
    @Caller() caller: DashboardPrincipal,
  ) {
    return this.providers.disable(environmentId, id, caller);
  }
}
