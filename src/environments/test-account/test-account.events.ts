import { defineEvent } from '../../database/index.js';
import { TestAccountPayload } from './test-account.dto.js';

export const TEST_ACCOUNT_CREATED = defineEvent(
  'testAccount.created',
  'A test account, which signs in with a fixed code, was created.',
  { payload: TestAccountPayload },
);
export const TEST_ACCOUNT_DELETED = defineEvent(
  'testAccount.deleted',
  'The test account was deleted; its code no longer works.',
  { payload: TestAccountPayload },
);
