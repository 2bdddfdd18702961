import { Injectable } from '@nestjs/common';
import { TenantDirectory, type DashboardUserPrincipal, type EnvironmentId } from '../../auth/index.js';
import { notFound } from '../../common/errors/index.js';
import { EnvironmentPromotion } from './environment-promotion.service.js';
import type { PromotionPlan, PromotionRequest } from './promotion-plan.js';
import { PromotionRefusedError } from './promotion-refused.error.js';
import type { ApplyPromotionRequest, PlanPromotionRequest, PromotionPlanResponse } from './promotion.dto.js';
import { planOutdated, promotionRefused } from './promotion.errors.js';
import { sourceScope } from './source-scope.js';

/** Promotion by members; operators have the same on the command line. */
@Injectable()
export class Promotions {
  constructor(
    private readonly promotion: EnvironmentPromotion,
    private readonly tenants: TenantDirectory,
  ) {}

  /** @throws ApiError not_found for an environment that is not in the organization, promotion_refused */
  async plan(to: EnvironmentId, request: PlanPromotionRequest): Promise<PromotionPlanResponse> {
    const asked = await this.requestOf(to, request);
    return shown(await answered(() => this.promotion.plan(asked)));
  }

  /** @throws ApiError as `plan`, plan_outdated, and the errors members get when making one of the changes directly */
  async apply(
    to: EnvironmentId,
    { digest, ...request }: ApplyPromotionRequest,
    caller: DashboardUserPrincipal,
  ): Promise<PromotionPlanResponse> {
    const asked = await this.requestOf(to, request);
    return shown(await answered(() => this.promotion.apply(asked, { digest }, caller)));
  }

  /** A member's role applies to the whole organization, so it suffices that the source belongs to it. */
  private async requestOf(
    to: EnvironmentId,
    { fromEnvironmentId, prune = false, except = [] }: PlanPromotionRequest,
  ): Promise<PromotionRequest> {
    const target = await this.tenants.findEnvironment(to);
    const from = sourceScope(await this.tenants.findEnvironment(fromEnvironmentId.toLowerCase()), target);
    if (!from) throw notFound();
    return { from, to, prune, except };
  }
}

async function answered(work: () => Promise<PromotionPlan>): Promise<PromotionPlan> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof PromotionRefusedError)) throw error;
    if (error.refusal === 'outdated') throw planOutdated();
    throw error.refusal === 'unknown' ? notFound() : promotionRefused({ message: error.message });
  }
}

/** A null value is shown as absent. */
const shown = (plan: PromotionPlan): PromotionPlanResponse => ({
  ...plan,
  parts: plan.parts.map(({ changes, ...part }) => ({
    ...part,
    changes: changes.map(({ before, after, ...change }) => ({
      ...change,
      ...(before !== null && before !== undefined && { before }),
      ...(after !== null && after !== undefined && { after }),
    })),
  })),
});
