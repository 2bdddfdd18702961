import { TOKEN_SCOPES, type DashboardPrincipal, type TokenScope } from '../../auth/index.js';
import { invalidScopes } from './api-token.errors.js';

/**
 * The scopes of a new token, each once and in the order of the vocabulary. No scopes asked for, none given. A member
 * who may create tokens may give all; a token only what it has itself.
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
