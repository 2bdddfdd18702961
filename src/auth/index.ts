export { accessOf, Dashboard, EndUser, ownershipOf, Page, Public, ScopedBy, type Access } from './access.js';
export {
  assertComplete,
  BACKUP_SCOPE,
  COMPLETE_SCOPE,
  isReservedScope,
  PARTIAL_SCOPES,
  type PartialScope,
} from './assurance.js';
export {
  ActionFactors,
  GUARDED_ACTIONS,
  guardedActionOf,
  MFA_TOKEN_HEADER,
  mfaTokenRequired,
  SecondFactorFor,
  type GuardedAction,
} from './action-factor.js';
export { AuthModule } from './auth.module.js';
export type { AuthorizedRequest } from './authorized-request.js';
export { bearerOf, BearerTokenStrategy, STRATEGIES } from './bearer.strategy.js';
export { environmentOfPath, homeOf } from './home.js';
export { asksForFactor, assertMemberFactor } from './member-factors.js';
export { mintEnvironmentId, mintOrganizationId } from './mint.js';
export { Caller, Client, Environment, Organization, userAgentOf, type ClientOrigin } from './params.js';
export type * from './principal.js';
export { RATE_RULES, RateLimited, rateLimitOf, type RateRule } from './rate-limit/rate-limit.js';
export { RateLimiter } from './rate-limit/rate-limiter.js';
export { ROLES, roleReaches, type Role } from './roles.js';
export { ServiceTokens } from './service-token.js';
export {
  ELEVATED_SCOPES,
  ELEVATED_TOKEN_HEADER,
  FreshProof,
  freshProofRequired,
  RecentProofAccepted,
  StepUp,
  type ElevatedScope,
  type ProofCondition,
  type ProvenCaller,
  RecentlyProven,
  RecentProofs,
} from './step-up.js';
export {
  OwnerResolver,
  TenantDirectory,
  type EnvironmentKind,
  type TenantEnvironment,
  type TenantMembership,
} from './tenant-directory.js';
export { TOKEN_SCOPES, type TokenScope } from './token-scopes.js';
export type { EnvironmentId, OrganizationId } from '../database/index.js';
export { answersTokens, tokenCut, tokenReplaced } from './token-use.js';
export type { TokenUse } from './principal.js';
