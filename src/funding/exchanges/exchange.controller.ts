import { Delete, Get, Put } from '@nestjs/common';
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
import { Exchange } from './exchange.dto.js';
import { EXCHANGE_DELETED, EXCHANGE_DISABLED, EXCHANGE_ENABLED } from './exchange.events.js';
import { ExchangeOwner } from './exchange-owner.js';
import { ExchangesService } from './exchanges.service.js';

@ApiController('settings/exchanges/:exchangeId', 'Settings')
export class ExchangeController {
  constructor(private readonly exchanges: ExchangesService) {}

  @Get()
  @Operation({ id: 'getExchange', summary: 'Read one exchange integration', errors: [400, 422] })
  @Dashboard({ scope: 'environment.settings.read', role: 'viewer' })
  @ScopedBy(ExchangeOwner, 'exchangeId')
  @Returns(Exchange)
  getExchange(@Environment() environmentId: EnvironmentId, @IdParam('exchangeId') id: string) {
    return this.exchanges.get(environmentId, id);
  }

  @Delete()
  @Operation({ id: 'deleteExchange', summary: 'Delete an exchange integration', events: [EXCHANGE_DELETED.name] })
  @Dashboard({ scope: 'environment.settings.write', role: 'developer' })
  @ScopedBy(ExchangeOwner, 'exchangeId')
  @ReturnsNothing()
  deleteExchange(
    @Environment() environmentId: EnvironmentId,
    @IdParam('exchangeId') id: string,
    @Caller() caller: DashboardPrincipal,
  ) {
    return this.exchanges.delete(environmentId, id, caller);
  }

  @Put('enable')
  @Operation({
    id: 'enableExchange',
    summary: 'Turn an exchange integration on',
    description: 'Everything that is missing is listed in one answer.',
    errors: [422],
    events: [EXCHANGE_ENABLED.name],
  })
  @Dashboard({ scope: 'environment.settings.write', role: 'developer' })
  @ScopedBy(ExchangeOwner, 'exchangeId')
  @Returns(Exchange)
  enableExchange(
    @Environment() environmentId: EnvironmentId,
    @IdParam('exchangeId') id: string,
    @Caller() caller: DashboardPrincipal,
  ) {
    return this.exchanges.enable(environmentId, id, caller);
  }

  @Put('disable')
  @Operation({ id: 'disableExchange', summary: 'Turn an exchange integration off', events: [EXCHANGE_DISABLED.name] })
  @Dashboard({ scope: 'environment.settings.write', role: 'developer' })
  @ScopedBy(ExchangeOwner, 'exchangeId')
  @Returns(Exchange)
  disableExchange(
    @Environment() environmentId: EnvironmentId,
    @IdParam('exchangeId') id: string,
    @Caller() caller: DashboardPrincipal,
  ) {
    return this.exchanges.disable(environmentId, id, caller);
  }
}
