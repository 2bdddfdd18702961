import { defineEnum, type EnumValue } from '../common/fields/index.js';

export const PLAN_TYPES = defineEnum('OrganizationSubscriptionPlanTypeEnum', [
  'free',
  'advanced',
  'enterprise',
  'standard',
]);
export type PlanType = EnumValue<typeof PLAN_TYPES>;

/** Which edition of the tables below an answer was made from. */
export const PLANS_VERSION = '2026-11';

/** From the creation of an organization; coupons add to it. */
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

/** What a plan covers. Consoles show it; the service itself withholds nothing from anybody. */
export const PLAN_SCOPES: Readonly<Record<PlanType, readonly string[]>> = {
  free: FREE,
  standard: STANDARD,
  advanced: ADVANCED,
  enterprise: ADVANCED,
};
