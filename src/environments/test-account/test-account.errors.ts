import { defineError } from '../../common/errors/index.js';

export const testAccountExists = defineError({
  code: 'test_account_exists',
  status: 422,
  message: 'The environment already has a test account.',
  hint: 'Read it, or delete it first to get another code.',
  cause: 'An environment can have one test account.',
  fix: 'Use the account that exists. Delete it before creating one with another address and code.',
});
