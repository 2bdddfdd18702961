import type { EnvironmentKind } from '../../auth/index.js';

/** What events call an environment: the console of the deployment is as live as any. */
export const environmentName = (kind: EnvironmentKind): 'sandbox' | 'live' => (kind === 'sandbox' ? 'sandbox' : 'live');
