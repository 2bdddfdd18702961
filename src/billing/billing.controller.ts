import { Body, Get, Put } from '@nestjs/common';
import { Caller, Dashboard, Organization, type DashboardPrincipal, type OrganizationId } from '../auth/index.js';
import { ApiController, Operation, Returns } from '../common/http/operation.js';
import { COUPON_REDEEMED, SUBSCRIPTION_UPDATED } from './billing.events.js';
import { BillingService } from './billing.service.js';
import { MAX_COUPONS } from './coupons/coupon.js';
import { TRIAL_DAYS } from './plans.js';
import { OrganizationSubscription, OrganizationSubscriptionCoupon } from './subscription.dto.js';

@ApiController('organizations/:organizationId/billing', 'Organizations')
export class BillingController {
  constructor(private readonly billing: BillingService) {}

  @Get('subscription')
  @Operation({
    id: 'getBillingSubscriptionByOrganization',
    summary: "Read the organization's subscription",
    description:
      'The plan, the trial, redeemed coupons and the number of active users this month. Consoles can show what a plan covers; the service itself restricts nothing.',
    errors: [422],
    limits: [`The trial lasts ${TRIAL_DAYS} days from the creation of the organization; coupons can extend it`],
  })
  @Dashboard({ scope: null, role: 'owner' })
  @Returns(OrganizationSubscription)
  getBillingSubscriptionByOrganization(@Organization() organizationId: OrganizationId) {
    return this.billing.get(organizationId);
  }

  @Put('subscription/coupon')
  @Operation({
    id: 'applyCouponForSubscription',
    summary: "Add a coupon to the organization's subscription",
    description: 'A coupon counts once per organization; adding it again is a no-op.',
    errors: [422, 503],
    events: [COUPON_REDEEMED.name],
    limits: [`${MAX_COUPONS} coupons per organization`, 'coupon: 1 to 255 characters'],
  })
  @Dashboard({ scope: null, role: 'owner' })
  @Returns(OrganizationSubscription)
  applyCouponForSubscription(
    @Organization() organizationId: OrganizationId,
    @Caller() caller: DashboardPrincipal,
    @Body() { coupon }: OrganizationSubscriptionCoupon,
  ) {
    return this.billing.redeem(organizationId, coupon, caller);
  }

  @Put('upgrade')
  @Operation({
    id: 'upgradeSubscriptionForOrganization',
    summary: 'Move the organization to the advanced plan',
    description: 'Ends the trial. A no-op on the advanced plan. Where payments are enabled, it starts them.',
    errors: [422, 503],
    events: [SUBSCRIPTION_UPDATED.name],
  })
  @Dashboard({ scope: null, role: 'owner' })
  @Returns(OrganizationSubscription, { status: 201 })
  upgradeSubscriptionForOrganization(
    @Organization() organizationId: OrganizationId,
    @Caller() caller: DashboardPrincipal,
  ) {
    return this.billing.upgrade(organizationId, caller);
  }
}
