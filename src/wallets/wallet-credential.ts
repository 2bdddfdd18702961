import type { NewCredential, UserWallet } from '../identity/index.js';

/** The credential that ties an embedded wallet to its user. It signs nobody in before the wallet is claimed. */
export const embeddedCredential = (wallet: UserWallet): NewCredential => ({
  format: 'blockchain',
  signInEnabled: false,
  address: wallet.publicKey,
  publicIdentifier: wallet.publicKey,
  chain: wallet.chain,
  walletId: wallet.id,
  walletName: wallet.name,
  walletProvider: wallet.provider,
  walletProperties: { ...wallet.properties },
});
