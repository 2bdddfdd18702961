import { defineEnum, type EnumValue } from '../common/fields/index.js';

export const PLAN_TYPES = defineEnum('OrganizationSubscriptionPlanTypeEnum', [
  'free',
  'advanced',
  'enterprise',
  'standard',
]);
export type PlanType = EnumValue<typeof PLAN_TYPES>;

/** Version of the tables below, included in responses. */
export const PLANS_VERSION = '2026-11';

/** From the creation of an organization; coupons extend it. */
export const TRIAL_DAYS = 14;

const FREE = [
  ...['connect_only', 'design', 'api_keys', 'visit_management', 'settings_general', 'settings_security'],
  ...['settings_privacy', 'admin_orgs', 'admin_billing', 'admin_members', 'user_management'],
] as const;
const STANDARD = [
  ...FREE,
  ...['connect_and_sign', 'multi_wallet', 'api_tokens', 'info_capture', 'captcha', 'signin_with_email', 'webhooks'],
] as const;
const ADVANCED = [
  ...STANDARD,
  ...['access_list', 'screening', 'analytics_users', 'analytics_visits', 'gating', 'account_abstraction'],
] as const;

/** The scope of each plan. Consoles show it; the service itself does not enforce it. */
export const PLAN_SCOPES: Readonly<Record<PlanType, readonly string[]>> = {
  free: FREE,
  standard: STANDARD,
  advanced: ADVANCED,
  enterprise: ADVANCED,
};
