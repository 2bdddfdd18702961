import { defineError } from '../../common/errors/index.js';

export const embeddedWalletsWouldBeLost = defineError({
  code: 'embedded_wallets_would_be_lost',
  status: 422,
  message: 'This account has an embedded wallet, whose keys would be destroyed.',
  hint: 'Move what the wallet holds, then call again with `eraseWallets=true`.',
  cause: 'The service keeps the keys of the wallet, and does not know what the wallet holds on each network.',
  fix: 'Ask the person; with `eraseWallets=true` the keys are destroyed, and nobody can bring them back.',
});
