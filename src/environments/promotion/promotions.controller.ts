import { Body, HttpCode, Post } from '@nestjs/common';
import {
  Caller,
  Dashboard,
  Environment,
  RecentlyProven,
  type DashboardUserPrincipal,
  type EnvironmentId,
} from '../../auth/index.js';
import { ApiController, Operation, Returns } from '../../common/http/operation.js';
import { SETTINGS_UPDATED } from '../environment-settings.events.js';
import { ApplyPromotionRequest, PlanPromotionRequest, PromotionPlanResponse } from './promotion.dto.js';
import { ENVIRONMENT_PROMOTED } from './promotion.events.js';
import { Promotions } from './promotions.service.js';

/** Brings the environment of the path in line with another one. */
@ApiController('environments/:environmentId/promotion', 'Environments')
export class PromotionsController {
  constructor(private readonly promotions: Promotions) {}

  @Post('plan')
  @HttpCode(200)
  @Operation({
    id: 'planPromotion',
    summary: 'Tell what would change if an environment were made like another one',
    description:
      'Every difference with the value of the environment (`before`) and of the source (`after`), in an order that never changes, and a digest. Secrets are neither told nor copied. What the environment would refuse, such as a switch that would do nothing there, is in `refused` with what is missing. Nothing is written.',
    errors: [422],
  })
  @Dashboard({ scope: null, role: 'admin' })
  @Returns(PromotionPlanResponse)
  planPromotion(@Environment() environmentId: EnvironmentId, @Body() request: PlanPromotionRequest) {
    return this.promotions.plan(environmentId, request);
  }

  @Post()
  @HttpCode(200)
  @Operation({
    id: 'applyPromotion',
    summary: 'Make an environment like another one, by a plan that was read',
    description:
      'With the options of the plan and its digest. All of it is written in one transaction, or nothing. Each change has the limits, the audit record and the event that it has when it is made alone, whatever it is of. Providers are among them, so it asks for a proof of the last five minutes.',
    errors: [409, 422],
    events: [ENVIRONMENT_PROMOTED.name, SETTINGS_UPDATED.name],
  })
  @Dashboard({ scope: null, role: 'admin' })
  @RecentlyProven('console:settings:update')
  @Returns(PromotionPlanResponse)
  applyPromotion(
    @Environment() environmentId: EnvironmentId,
    @Body() request: ApplyPromotionRequest,
    @Caller() caller: DashboardUserPrincipal,
  ) {
    return this.promotions.apply(environmentId, request, caller);
  }
}
