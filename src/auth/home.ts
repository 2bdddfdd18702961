import { isUuid } from '../common/ids.js';
import type { AuthorizedRequest } from './authorized-request.js';
import type { EnvironmentId } from '../database/index.js';
import { mintEnvironmentId } from './mint.js';
import type { DashboardPrincipal } from './principal.js';

/** The environment that a caller of the dashboard is known in: that of the token, or the console where members are users. */
export const homeOf = (caller: DashboardPrincipal): EnvironmentId =>
  mintEnvironmentId(caller.kind === 'environmentToken' ? caller.environmentId : caller.consoleEnvironmentId);

/**
 * The environment that a path names, for a strategy whose credential is read with the keys of that environment. It proves
 * nothing yet: the guard compares it with the principal.
 */
export function environmentOfPath({ params }: Pick<AuthorizedRequest, 'params'>): EnvironmentId | null {
  const { environmentId } = params as Record<string, unknown>;
  return isUuid(environmentId) ? mintEnvironmentId(environmentId.toLowerCase()) : null;
}
