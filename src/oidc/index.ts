export type { ClientAuthentication, SecretMethod } from './client-authentication.js';
export {
  CodeExchange,
  type AuthorizationAnswer,
  type AuthorizationRequest,
  type OAuthClient,
} from './code-exchange.js';
export { DiscoveryError, type DiscoveryReason } from './discovery-error.js';
export type { IdTokenTerms } from './id-token.js';
export { IdTokens } from './id-tokens.js';
export { KeySet } from './key-set.js';
export { KeySets } from './key-sets.js';
export { configurationUrlOf, OidcDiscovery, type DiscoveredProvider } from './oidc-discovery.js';
export { OidcError, type OidcFailure } from './oidc-error.js';
export { OidcModule } from './oidc.module.js';
export { isSecure } from './secure-address.js';
export { ALLOWED_ALGORITHMS, isSignedBy, parseSignedToken, type SignedToken } from './signed-token.js';
export { isSeconds, LEEWAY_SECONDS } from './token-times.js';
export type { TokenSet } from './token-set.js';
export { UserInfo } from './user-info.js';
