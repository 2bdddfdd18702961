import { defineError } from '../../../common/errors/index.js';
import { SecurityEvent } from '../../../common/security/index.js';

export const wrongSignInLink = defineError({
  code: 'wrong_sign_in_link',
  status: 422,
  security: SecurityEvent.CodeFailed,
  message: 'This link is no longer valid.',
  hint: 'Ask the operator of the service for a new link.',
  cause:
    'A link signs one person in once, within ten minutes, and is replaced by a newer link for the same person. The response does not say which of these happened.',
  fix: 'Have the operator create another one: `npm run cli -- members link --organization <id> --email <email>`.',
});
