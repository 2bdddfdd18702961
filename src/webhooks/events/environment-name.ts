import type { EnvironmentKind } from '../../auth/index.js';

/** An environment's name in events: the deployment's console counts as live. */
export const environmentName = (kind: EnvironmentKind): 'sandbox' | 'live' => (kind === 'sandbox' ? 'sandbox' : 'live');
