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
    summary: 'Show what would change if an environment were made like another one',
    description:
      'Every difference with the value of the environment (`before`) and of the source (`after`), in a stable order, and a digest. Secrets are neither shown nor copied. Changes that the environment would refuse, such as a setting that would have no effect there, are in `refused` with what is missing. Nothing is written.',
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
    summary: 'Make an environment like another one, by a plan that was reviewed',
    description:
      'Takes the options of the plan and its digest. Everything is written in one transaction, or nothing. Each change has the same limits, audit record and event as when it is made on its own. Since providers can be among the changes, a proof from the last five minutes is required.',
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
