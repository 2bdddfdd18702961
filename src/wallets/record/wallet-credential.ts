import type { NewCredential, UserWallet } from '../../identity/index.js';
import type { ExternalWallet } from './wallets.repository.js';

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

/** The credential of a wallet that an API call says the user has: not verified, so it opens no account of somebody. */
export const externalCredential = (wallet: ExternalWallet): NewCredential => ({
  format: 'blockchain',
  signInEnabled: false,
  address: wallet.address,
  publicIdentifier: wallet.address,
  chain: wallet.chain,
  walletId: wallet.id,
  walletName: wallet.name,
  walletProvider: wallet.provider,
  walletAdditionalAddresses: wallet.additionalAddresses?.map((address) => ({ ...address })) ?? [],
});
