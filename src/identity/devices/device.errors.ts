import { defineError } from '../../common/errors/index.js';
import { SecurityEvent } from '../../common/security/index.js';

export const deviceTokenInvalid = defineError({
  code: 'device_token_invalid',
  status: 422,
  security: SecurityEvent.CodeFailed,
  message: 'This token does not confirm a device of this session.',
  hint: 'Enter the token of the newest message. Once it has expired, refresh the session, and another is sent.',
  cause: 'The token is wrong, older than 15 minutes, already used, or was sent for another session.',
  fix: 'Use the token in the session that it was sent for. After 15 minutes refreshAuth sends another.',
});
