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

/** Aligns the environment in the path with another one. */
@ApiController('environments/:environmentId/promotion', 'Environments')
export class PromotionsController {
  constructor(private readonly promotions: Promotions) {}

  @Post('plan')
  @HttpCode(200)
  @Operation({
    id: 'planPromotion',
    summary: 'Plan a promotion: show what bringing an environment in line with another one would change',
    description:
      'Lists every difference with the value of the environment (`before`) and of the source (`after`), in a stable order, and a digest. Secrets are neither shown nor copied. `refused` lists what the environment would reject, such as enabling something that is incomplete there, with what is missing. Nothing is written.',
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
    summary: 'Apply a promotion plan: bring an environment in line with another one',
    description:
      'Takes the options of the plan and its digest. Everything is written in one transaction or not at all. Each change is subject to the same limits, audit record and event as when it is made on its own. Because providers can be among the changes, members need a proof from the last five minutes.',
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
