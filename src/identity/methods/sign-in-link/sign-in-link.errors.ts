import { defineError } from '../../../common/errors/index.js';
import { SecurityEvent } from '../../../common/security/index.js';

export const wrongSignInLink = defineError({
  code: 'wrong_sign_in_link',
  status: 422,
  security: SecurityEvent.CodeFailed,
  message: 'This link does not work any more.',
  hint: 'Ask the operator of the service for a new link.',
  cause:
    'A link signs one person in once, within ten minutes, and a newer link for the same person ends it. Which of these happened is not told.',
  fix: 'Have the operator make another: `npm run cli -- members link --organization <id> --email <email>`.',
});
