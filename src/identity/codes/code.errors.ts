import { defineError } from '../../common/errors/index.js';
import { SecurityEvent } from '../../common/security/index.js';

export const tooManyWrongCodes = defineError({
  code: 'too_many_wrong_codes',
  status: 429,
  security: SecurityEvent.SignInLocked,
  message: 'Too many wrong codes: the next one has to wait.',
  hint: 'Wait for the seconds given in Retry-After, then enter the newest code, or sign in another way.',
  cause:
    'After five wrong codes from one network, or twenty from all networks that the address has not signed in from, each further one doubles a wait that begins at 30 seconds and never exceeds 15 minutes for a network and 30 minutes for the address. Nothing was compared, and this call did not count.',
  fix: 'Wait; the wait ends by itself, and a right code ends the failures of its network. Operators end all of it with `npm run cli -- users unlock`.',
});
