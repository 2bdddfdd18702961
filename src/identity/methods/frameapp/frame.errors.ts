import { defineError } from '../../../common/errors/index.js';
import { SecurityEvent } from '../../../common/security/index.js';

export const frameCustodyRefused = defineError({
  code: 'frame_custody_refused',
  status: 422,
  security: SecurityEvent.ProofRefused,
  message: 'This address is not the custody address of this Farcaster account.',
  hint: 'Sign with the custody address of the account.',
  cause:
    'The Farcaster registry on OP Mainnet (chain 10) has another account for the address, or none. Addresses that an account has only authorized for signing in are not accepted.',
  fix: 'Sign with the address that the registry has for the account, and name that account in the message.',
});
