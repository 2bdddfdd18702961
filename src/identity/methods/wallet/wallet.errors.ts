import { defineError } from '../../../common/errors/index.js';

export const chainNotSupported = defineError({
  code: 'chain_not_supported',
  status: 422,
  message: 'Wallets of this chain cannot sign in here.',
  hint: 'Sign in with a wallet of EVM, SOL, SUI, BTC, COSMOS, TRON, ALGO or APTOS, or in another way.',
  cause:
    'The service has nothing that checks signatures of this chain, and it takes nothing on trust. Accounts of TON and STARK are contracts that the service does not ask.',
  fix: 'Use a wallet of a chain that the service can check: EVM (or ETH), SOL, SUI, BTC, COSMOS, TRON, ALGO, APTOS.',
});

export const chainNotEnabled = defineError({
  code: 'chain_not_enabled',
  status: 422,
  message: 'The environment has not enabled this chain or network.',
  hint: 'Change to a network that the settings enable, or enable this one.',
  cause:
    'The chain is switched off in `chains` of the settings, or the `Chain ID` of the message is not one of its enabled networks.',
  fix: 'Enable the chain and the network in the settings of the environment, or have the wallet change its network.',
});

export const walletOfAnotherNetwork = defineError({
  code: 'wallet_of_another_network',
  status: 422,
  message: 'This smart account is known by its contract on another network.',
  hint: 'Sign in on the network where the account signed in first.',
  cause:
    'An address is a contract on each network for itself, and they may have different owners. Whoever signs in by a contract is known by the contract of one network: that of the first sign-in, as `contract_network` of the credential has it.',
  fix: 'Have the wallet change its network and sign a new message, which names that network.',
});

export const invalidWalletAddress = defineError({
  code: 'invalid_wallet_address',
  status: 422,
  message: 'This is not an address of the chain.',
  hint: 'Send the address as the wallet shows it.',
  cause: 'The text has not the form of an address of the chain, or its checksum is wrong.',
  fix: 'Send the address of the wallet unchanged.',
});
