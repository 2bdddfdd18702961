import { Body, Get, Post } from '@nestjs/common';
import { Caller, Dashboard, Environment, type DashboardPrincipal, type EnvironmentId } from '../../auth/index.js';
import { ApiController, Operation, Returns } from '../../common/http/operation.js';
import { CallWork, type Work } from '../../idempotency/index.js';
import { Exchange, ExchangeCreateRequest, ExchangeResponse } from './exchange.dto.js';
import { EXCHANGE_CREATED } from './exchange.events.js';
import { ExchangesService } from './exchanges.service.js';

@ApiController('environments/:environmentId/settings/exchanges', 'Settings')
export class ExchangesController {
  constructor(private readonly exchanges: ExchangesService) {}

  @Get()
  @Operation({ id: 'getEnvironmentExchanges', summary: "List the environment's exchange integrations" })
  @Dashboard({ scope: 'environment.settings.read', role: 'viewer' })
  @Returns(ExchangeResponse)
  getEnvironmentExchanges(@Environment() environmentId: EnvironmentId) {
    return this.exchanges.list(environmentId);
  }

  @Post()
  @Operation({
    id: 'createExchange',
    idempotent: true,
    summary: 'Create an exchange integration, disabled',
    description: 'Uses the providers of the exchange, whose settings hold the secrets.',
    errors: [422],
    events: [EXCHANGE_CREATED.name],
    limits: ['One record per exchange and environment'],
  })
  @Dashboard({ scope: 'environment.settings.write', role: 'developer' })
  @Returns(Exchange, { status: 201 })
  createExchange(
    @Environment() environmentId: EnvironmentId,
    @Caller() caller: DashboardPrincipal,
    @Body() request: ExchangeCreateRequest,
    @CallWork() work: Work,
  ) {
    return this.exchanges.create(environmentId, request, caller, work);
  }
}
