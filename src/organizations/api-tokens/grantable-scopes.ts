import { TOKEN_SCOPES, type DashboardPrincipal, type TokenScope } from '../../auth/index.js';
import { invalidScopes } from './api-token.errors.js';

/**
 * The scopes of a new token, deduplicated and in vocabulary order; none unless requested. A member who may create
 * tokens may grant any scope; a token only the scopes it has itself.
 *
 * @throws invalidScopes naming the scopes its creator lacks
 */
export function grantableScopes(wanted: readonly TokenScope[] | undefined, creator: DashboardPrincipal): TokenScope[] {
  const granted = TOKEN_SCOPES.values.filter((scope) => wanted?.includes(scope));
  if (creator.kind === 'environmentToken') {
    const missing = granted.filter((scope) => !creator.scopes.includes(scope));
    if (missing.length > 0) throw invalidScopes({ payload: { additionalMessages: missing } });
  }
  return granted;
}
