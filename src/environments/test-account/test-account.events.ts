import { defineEvent } from '../../database/index.js';
import { TestAccountPayload } from './test-account.dto.js';

export const TEST_ACCOUNT_CREATED = defineEvent(
  'testAccount.created',
  'The environment got an account that signs in with a fixed code.',
  { payload: TestAccountPayload },
);
export const TEST_ACCOUNT_DELETED = defineEvent(
  'testAccount.deleted',
  'The fixed code of the environment is good for nothing any more.',
  { payload: TestAccountPayload },
);
