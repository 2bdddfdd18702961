import { isUuid } from '../common/ids.js';
import type { AuthorizedRequest } from './authorized-request.js';
import type { EnvironmentId } from '../database/index.js';
import { mintEnvironmentId } from './mint.js';
import type { DashboardPrincipal } from './principal.js';

/** The environment of a dashboard caller: that of the API token, or the console, in which members are users. */
export const homeOf = (caller: DashboardPrincipal): EnvironmentId =>
  mintEnvironmentId(caller.kind === 'environmentToken' ? caller.environmentId : caller.consoleEnvironmentId);

/**
 * The environment named by the path, for strategies that verify credentials with the keys of that environment. Not yet
 * authorized: the guard compares it with the principal.
 */
export function environmentOfPath({ params }: Pick<AuthorizedRequest, 'params'>): EnvironmentId | null {
  const { environmentId } = params as Record<string, unknown>;
  return isUuid(environmentId) ? mintEnvironmentId(environmentId.toLowerCase()) : null;
}
