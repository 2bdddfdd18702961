import { defineError } from '../../../common/errors/index.js';

export const chainNotSupported = defineError({
  code: 'chain_not_supported',
  status: 422,
  message: 'Wallets of this chain cannot sign in here.',
  hint: 'Sign in with a wallet of EVM, SOL, SUI, BTC, COSMOS, TRON, ALGO or APTOS, or in another way.',
  cause:
    'The service cannot verify signatures of this chain. TON and STARK accounts are contracts that the service cannot query.',
  fix: 'Use a wallet of a supported chain: EVM (or ETH), SOL, SUI, BTC, COSMOS, TRON, ALGO, APTOS.',
});

export const chainNotEnabled = defineError({
  code: 'chain_not_enabled',
  status: 422,
  message: 'The environment has not enabled this chain or network.',
  hint: 'Switch to a network that the settings enable, or enable this one.',
  cause:
    'The chain is disabled in the `chains` setting, or the `Chain ID` of the message is not one of its enabled networks.',
  fix: 'Enable the chain and the network in the settings of the environment, or switch the network in the wallet.',
});

export const walletOfAnotherNetwork = defineError({
  code: 'wallet_of_another_network',
  status: 422,
  message: 'This smart account is registered with its contract on another network.',
  hint: 'Sign in on the network where the account signed in first.',
  cause:
    'An address can be a different contract on each network, with different owners. A smart account is therefore identified by its contract on one network: that of the first sign-in, which is `contract_network` in the credential.',
  fix: 'Switch the wallet to that network and sign a new message for it.',
});

export const invalidWalletAddress = defineError({
  code: 'invalid_wallet_address',
  status: 422,
  message: 'This is not an address of the chain.',
  hint: 'Send the address as the wallet shows it.',
  cause: 'The text is not in the address format of the chain, or its checksum is wrong.',
  fix: 'Send the address of the wallet unchanged.',
});
