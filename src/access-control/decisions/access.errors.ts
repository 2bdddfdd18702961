import { defineError } from '../../common/errors/index.js';
import { SecurityEvent } from '../../common/security/index.js';

export const accessDenied = defineError({
  code: 'access_denied',
  status: 403,
  security: SecurityEvent.AccessRefused,
  message: 'You do not have access here.',
  hint: 'Sign in with an account or a wallet that has access.',
  cause: 'An enabled gate or allowlist of the environment does not apply to the person who signs in.',
  fix: 'The hint says what is missing. Teams: `getGateTrial` (`GET /environments/{environmentId}/gates/{gateId}/trial`) shows how a gate decides.',
});

export const accessUndecided = defineError({
  code: 'access_undecided',
  status: 403,
  security: SecurityEvent.AccessRefused,
  message: 'Your access cannot be checked right now.',
  hint: 'Try again in a minute.',
  cause:
    'A gate depends on what a wallet holds, and no node of its network gave a valid answer. Nobody is let in unchecked.',
  fix: 'Try again. Teams: check the `rpcUrl` of the network in the settings of the environment.',
});
