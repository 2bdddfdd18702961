import {
  BooleanField,
  DateField,
  EnumField,
  IntegerField,
  ListField,
  NumberField,
  PickOf,
  RefField,
  StringField,
  StringListField,
} from '../common/fields/index.js';
import { PLAN_TYPES, type PlanType } from './plans.js';

export class OrganizationSubscriptionPeriod {
  @DateField()
  startDate!: Date;

  @DateField({ description: 'The first instant of the next period.' })
  endDate!: Date;

  @NumberField({
    optional: true,
    description: 'Distinct users of all environments who signed in or refreshed their session in this period.',
  })
  usagesCount?: number;
}

export class OrganizationSubscriptionCoupon {
  @StringField({ min: 1, max: 255, description: 'The code of the coupon, case-insensitive.' })
  coupon!: string;
}

export class OrganizationSubscription {
  @StringField({ optional: true, description: 'Where the owner manages payments. Valid for minutes, for one person.' })
  billingPortalUrl?: string;

  @StringField({ optional: true, description: 'Where the owner adds a payment method. Valid for minutes.' })
  billingPortalAddPaymentMethodUrl?: string;

  @BooleanField()
  hasPaymentMethod!: boolean;

  @EnumField(PLAN_TYPES)
  planType!: PlanType;

  @BooleanField({ description: 'Whether the features of the advanced plan can be tried on the free plan.' })
  inTrial!: boolean;

  @StringListField({ description: 'Features covered by the plan, or by the trial while it lasts.' })
  scope!: string[];

  @DateField({ optional: true })
  trialStart?: Date;

  @DateField({ optional: true })
  trialEnd?: Date;

  @IntegerField({ optional: true, description: 'Started days count as whole days; 0 if there is no trial.' })
  trialDaysLeft?: number;

  @RefField(() => OrganizationSubscriptionPeriod, { optional: true, description: 'The current month, in UTC.' })
  currentBillingPeriod?: OrganizationSubscriptionPeriod;

  @StringField({ description: 'Version of the plans.' })
  version!: string;

  @BooleanField({ optional: true, description: 'Whether a payment is overdue.' })
  shouldLockEnvironmentSwitch?: boolean;

  @ListField(() => OrganizationSubscriptionCoupon, { optional: true, description: 'Redeemed coupons, oldest first.' })
  coupons?: OrganizationSubscriptionCoupon[];
}

/** A subscription in events: only what changes by a decision, not over time, and no links. */
export class SubscriptionPayload extends PickOf(OrganizationSubscription, [
  'planType',
  'inTrial',
  'trialEnd',
  'hasPaymentMethod',
  'shouldLockEnvironmentSwitch',
  'coupons',
]) {}
