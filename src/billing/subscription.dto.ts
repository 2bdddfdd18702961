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
    description: 'Users of all environments who signed in or refreshed their session in this period, each once.',
  })
  usagesCount?: number;
}

export class OrganizationSubscriptionCoupon {
  @StringField({ min: 1, max: 255, description: 'The code of the coupon. Upper and lower case are the same.' })
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

  @BooleanField({ description: 'Whether what the advanced plan covers may be tried on the free plan.' })
  inTrial!: boolean;

  @StringListField({ description: 'What the plan covers, or the trial while it lasts.' })
  scope!: string[];

  @DateField({ optional: true })
  trialStart?: Date;

  @DateField({ optional: true })
  trialEnd?: Date;

  @IntegerField({ optional: true, description: 'Started days count as whole days; 0 if there is no trial.' })
  trialDaysLeft?: number;

  @RefField(() => OrganizationSubscriptionPeriod, { optional: true, description: 'The current month, in UTC.' })
  currentBillingPeriod?: OrganizationSubscriptionPeriod;

  @StringField({ description: 'Edition of the plans.' })
  version!: string;

  @BooleanField({ optional: true, description: 'Whether a payment is overdue.' })
  shouldLockEnvironmentSwitch?: boolean;

  @ListField(() => OrganizationSubscriptionCoupon, { optional: true, description: 'Redeemed coupons, oldest first.' })
  coupons?: OrganizationSubscriptionCoupon[];
}

/** A subscription as events show it: what changes by decision, not by time, and no link. */
export class SubscriptionPayload extends PickOf(OrganizationSubscription, [
  'planType',
  'inTrial',
  'trialEnd',
  'hasPaymentMethod',
  'shouldLockEnvironmentSwitch',
  'coupons',
]) {}
