import { defineEvent } from '../database/index.js';
import { SubscriptionPayload } from './subscription.dto.js';

const OF_SUBSCRIPTION = { payload: SubscriptionPayload, ofOrganization: true };

export const SUBSCRIPTION_UPDATED = defineEvent(
  'subscription.updated',
  'The plan of an organization, or the way it is paid, was changed.',
  OF_SUBSCRIPTION,
);
export const COUPON_REDEEMED = defineEvent('coupon.redeemed', 'An organization redeemed a coupon.', OF_SUBSCRIPTION);
