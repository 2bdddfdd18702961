export { ClientSettingsSource, ClientSettingsSources, type ClientSettingsSections } from './client-settings-sources.js';
export { ClientReports } from './client-reports/client-reports.service.js';
export { EnvironmentSettingsReader } from './environment-settings-reader.js';
export { EnvironmentSettingsService } from './environment-settings.service.js';
export { EnvironmentsModule } from './environments.module.js';
export { Cors } from './origins/cors.js';
export { ActiveHostnames } from './hostnames/active-hostnames.js';
export { matchesOrigin } from './origins/origin-match.js';
export { OriginsService } from './origins/origins.service.js';
export { OriginPolicy } from './origins/origin-policy.js';
export { siteOwner } from './origins/site-owner.js';
export { ReturnAddresses } from './origins/return-addresses.js';
export { parseOrigin } from './origins/parse-origin.js';
export { environmentComponents, ReturnsSettings } from './returns-settings.js';
export { EnvironmentPart } from './promotion/environment-part.js';
export type { LeftItem, PartChange, PartPlan, PartState, PartTerms } from './promotion/part-plan.js';
export { EnvironmentParts } from './promotion/environment-parts.js';
export { EnvironmentPromotion, type Expected } from './promotion/environment-promotion.service.js';
export { differences } from './promotion/part-differences.js';
export {
  changesOf,
  isDigest,
  requestOf,
  type PromotionPlan,
  type PromotionRequest,
} from './promotion/promotion-plan.js';
export { PromotionRefusedError } from './promotion/promotion-refused.error.js';
export { captchaVendorOf, type CaptchaVendor } from './settings/captcha-vendors.js';
export { jwtTtlSeconds } from './settings/jwt-duration.js';
export { firstKeySeconds } from './settings/session-key-duration.js';
export { EnvironmentSecrets } from './secrets/environment-secrets.js';
export { usableMfaMethods } from './settings/mfa-methods.js';
export { SettingsCheck, SettingsChecks, SettingsNeed } from './settings/settings-checks.js';
export type { FieldProblem } from './settings/settings-validation.js';
export { settingsComponents } from './settings/settings-schema.js';
export type * from './settings/settings.types.js';
export type { ProjectSettings as EnvironmentSettings } from './settings/settings.types.js';
export type { Rotation } from './signing-keys/signing-key-rotation.service.js';
export { SigningKeys } from './signing-keys/signing-keys.js';
export { ExternalTokens, type ExternalVerdict } from './external-jwt/external-tokens.js';
export { TestAccountEnding, TestAccountEndings, type TestIdentifiers } from './test-account/test-account-endings.js';
export { TestAccountService } from './test-account/test-account.service.js';
export { TestAccounts } from './test-account/test-accounts.js';
