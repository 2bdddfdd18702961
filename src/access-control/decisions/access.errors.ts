import { defineError } from '../../common/errors/index.js';
import { SecurityEvent } from '../../common/security/index.js';

export const accessDenied = defineError({
  code: 'access_denied',
  status: 403,
  security: SecurityEvent.AccessRefused,
  message: 'You are not among those who are let in here.',
  hint: 'Sign in with an account or a wallet that is let in.',
  cause: 'An enabled gate or allowlist of the environment does not apply to the person who signs in.',
  fix: 'The hint says what is missing. Operators: GET /environments/{environmentId}/gates/{gateId}/trial tells what decided.',
});

export const accessUndecided = defineError({
  code: 'access_undecided',
  status: 403,
  security: SecurityEvent.AccessRefused,
  message: 'Whether you are let in cannot be found out right now.',
  hint: 'Try again in a minute.',
  cause: 'A gate asks what a wallet holds, and no node of its network gave a sound answer. Nobody is let in unseen.',
  fix: 'Try again. Operators: check the rpcUrl of the network in the settings of the environment.',
});
