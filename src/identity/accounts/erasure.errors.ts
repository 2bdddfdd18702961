import { defineError } from '../../common/errors/index.js';

export const embeddedWalletsWouldBeLost = defineError({
  code: 'embedded_wallets_would_be_lost',
  status: 422,
  message: 'This account has an embedded wallet, whose keys would be destroyed.',
  hint: 'Move the assets out of the wallet, then call again with `eraseWallets=true`.',
  cause: 'The service holds the keys of the wallet, and does not know what assets it has on each network.',
  fix: 'Ask the user; with `eraseWallets=true` the keys are destroyed, and nobody can restore them.',
});
