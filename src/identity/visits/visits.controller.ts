import { Body, Post } from '@nestjs/common';
import { Environment, Public, RATE_RULES, RateLimited, type EnvironmentId } from '../../auth/index.js';
import { ApiController, Operation, ReturnsNothing } from '../../common/http/operation.js';
import { ConnectRequest } from './visit.dto.js';
import { VisitsService } from './visits.service.js';

@ApiController('sdk/:environmentId/connect', 'Sdk')
export class VisitsController {
  constructor(private readonly visits: VisitsService) {}

  @Post()
  @Operation({
    id: 'createVisit',
    summary: 'Record a connected wallet that did not sign in',
    errors: [422],
    limits: [
      '10 calls per minute and client address',
      '50000 new wallets per environment and day; further new wallets are not recorded',
    ],
  })
  @Public()
  @RateLimited(RATE_RULES.visit)
  @ReturnsNothing(202)
  async createVisit(@Environment() environmentId: EnvironmentId, @Body() visit: ConnectRequest) {
    await this.visits.record(environmentId, visit);
  }
}
