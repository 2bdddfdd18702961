import { defineError } from '../common/errors/index.js';

export const tooManyWallets = defineError({
  code: 'too_many_wallets',
  status: 422,
  message: 'The user has as many external wallets as a user may have.',
  hint: 'Delete a wallet of the user first.',
  cause: 'A user may have 100 external wallets.',
  fix: 'Delete wallets that are no longer used.',
});
