import { defineEvent } from '../database/index.js';
import { SubscriptionPayload } from './subscription.dto.js';

const OF_SUBSCRIPTION = { payload: SubscriptionPayload, ofOrganization: true };

export const SUBSCRIPTION_UPDATED = defineEvent(
  'subscription.updated',
  'The plan of an organization changed, or how it is paid.',
  OF_SUBSCRIPTION,
);
export const COUPON_REDEEMED = defineEvent('coupon.redeemed', 'An organization redeemed a coupon.', OF_SUBSCRIPTION);
