import type { EnvironmentId } from '../database/index.js';
import { mintEnvironmentId } from './mint.js';
import type { DashboardPrincipal } from './principal.js';

/** The environment that a caller of the dashboard is known in: that of the token, or the console where members are users. */
export const homeOf = (caller: DashboardPrincipal): EnvironmentId =>
  mintEnvironmentId(caller.kind === 'environmentToken' ? caller.environmentId : caller.consoleEnvironmentId);
