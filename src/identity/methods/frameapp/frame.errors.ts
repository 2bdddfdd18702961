import { defineError } from '../../../common/errors/index.js';
import { SecurityEvent } from '../../../common/security/index.js';

export const frameCustodyRefused = defineError({
  code: 'frame_custody_refused',
  status: 422,
  security: SecurityEvent.ProofRefused,
  message: 'This address does not hold this account of the frame network.',
  hint: 'Sign with the custody address of the account.',
  cause:
    'The registry of the frame network on OP Mainnet (chain 10) names another account for the address, or none. Addresses that an account has only authorised to sign in for it are not taken.',
  fix: 'Sign with the address that the registry has for the account, and name that account in the message.',
});
