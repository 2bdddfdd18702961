import { defineError } from '../../common/errors/index.js';
import { SecurityEvent } from '../../common/security/index.js';

export const walletBlocked = defineError({
  code: 'wallet_blocked',
  status: 403,
  security: SecurityEvent.AccessRefused,
  message: 'This wallet cannot be used here.',
  hint: 'Use another wallet. Whoever holds this one wrongly listed may turn to the team of the application.',
  cause: 'The environment compares wallets with sanctions lists, and one of them names this address.',
  fix: 'Nothing was written. Operators: the audit trail says which list names the address.',
});

export const screeningUndecided = defineError({
  code: 'screening_undecided',
  status: 403,
  security: SecurityEvent.AccessRefused,
  message: 'Whether this wallet may be used cannot be found out right now.',
  hint: 'Try again in a minute.',
  cause:
    'The environment compares wallets with sanctions lists, and the source of a list gave no sound answer. No wallet passes unseen.',
  fix: 'Try again. Operators: check SANCTIONS_API_KEY and whether the address of the source is reachable, or import a list.',
});

export const screeningNotConfigured = defineError({
  code: 'screening_not_configured',
  status: 422,
  message: 'There is nothing to compare wallets with.',
  hint: 'The operator sets SANCTIONS_API_KEY, or imports the published list: npm run cli -- screening import --file sdn.xml',
  cause:
    'Screening was to be turned on, and the deployment has neither a key of a screening service nor a sanctions list.',
  fix: 'Set SANCTIONS_API_KEY, or import a list with `npm run cli -- screening import --file sdn.xml`, and turn it on again.',
});
