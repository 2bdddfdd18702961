import { defineError } from '../../common/errors/index.js';
import { SecurityEvent } from '../../common/security/index.js';

export const walletBlocked = defineError({
  code: 'wallet_blocked',
  status: 403,
  security: SecurityEvent.AccessRefused,
  message: 'This wallet cannot be used here.',
  hint: 'Use another wallet. If you think this one is listed by mistake, contact the team that runs the application.',
  cause: 'The environment compares wallets with sanctions lists, and one of them names this address.',
  fix: 'Nothing was written. Operators: the audit trail says which list names the address.',
});

export const screeningUndecided = defineError({
  code: 'screening_undecided',
  status: 403,
  security: SecurityEvent.AccessRefused,
  message: 'This wallet cannot be checked right now.',
  hint: 'Try again in a minute.',
  cause:
    'The environment compares wallets with sanctions lists, and the source of a list gave no valid answer. No wallet is accepted unchecked.',
  fix: 'Try again. Operators: check SANCTIONS_API_KEY and whether the address of the source is reachable, or import a list.',
});

export const screeningNotConfigured = defineError({
  code: 'screening_not_configured',
  status: 422,
  message: 'Screening has no source to check wallets against.',
  hint: 'The operator has to set SANCTIONS_API_KEY, or import the published list: npm run cli -- screening import --file sdn.xml',
  cause:
    'The deployment has neither a key for a screening service nor a sanctions list, so screening cannot be turned on.',
  fix: 'Set SANCTIONS_API_KEY, or import a list with `npm run cli -- screening import --file sdn.xml`, and turn it on again.',
});
