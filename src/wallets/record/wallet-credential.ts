import type { NewCredential, UserWallet } from '../../identity/index.js';
import type { ExternalWallet } from './external-wallets.repository.js';

/** The credential that links an embedded wallet to its user. It cannot sign in before the wallet is claimed. */
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

/** The credential of a wallet assigned by an API call: unverified, so it opens nobody's account. */
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
