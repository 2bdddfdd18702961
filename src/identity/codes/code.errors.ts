import { defineError } from '../../common/errors/index.js';
import { SecurityEvent } from '../../common/security/index.js';

export const tooManyWrongCodes = defineError({
  code: 'too_many_wrong_codes',
  status: 429,
  security: SecurityEvent.SignInLocked,
  message: 'Too many wrong codes. Wait before you try again.',
  hint: 'Wait for the seconds given in Retry-After, then enter the newest code, or sign in another way.',
  cause:
    'After five wrong codes from one network, or twenty from all networks that the address has not signed in from, each further one doubles a wait that starts at 30 seconds and never exceeds 15 minutes for a network and 30 minutes for the address. The code was not checked, and this call did not count as an attempt.',
  fix: 'The wait ends by itself, and a correct code clears the failures of its network. Operators can end all waits with `npm run cli -- users unlock`.',
});
