import { defineError } from '../../../common/errors/index.js';
import { SecurityEvent } from '../../../common/security/index.js';

export const chainNotSupported = defineError({
  code: 'chain_not_supported',
  status: 422,
  message: 'Wallets of this chain cannot sign in here.',
  hint: 'Sign in with a wallet of EVM, SOL, SUI or BTC, or in another way.',
  cause: 'The service has nothing that checks signatures of this chain, and it takes nothing on trust.',
  fix: 'Use a wallet of a chain that the service can check: EVM (or ETH), SOL, SUI, BTC.',
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

export const invalidSignInMessage = defineError({
  code: 'invalid_sign_in_message',
  status: 422,
  message: 'This message does not sign anybody in here.',
  hint: 'Build the message as EIP-4361 has it.',
  cause:
    'The message is not of the form of EIP-4361, or one of its fields is wrong: domain and URI must be a registered origin of the environment and the site that calls, the version 1, the times current, the address the one of the request. The hint of the answer names the field.',
  fix: 'Correct the field that the hint names. The message is read line by line, so nothing may be added to it.',
});

export const invalidNonce = defineError({
  code: 'invalid_nonce',
  status: 422,
  security: SecurityEvent.ProofRefused,
  message: 'The nonce of the message is not good any more.',
  hint: 'Ask for a new nonce and sign a new message.',
  cause: 'The nonce was used, is older than five minutes, is of another environment, or was never issued.',
  fix: 'Call getNonce (or getNonces) for each message to be signed.',
});

export const invalidWalletAddress = defineError({
  code: 'invalid_wallet_address',
  status: 422,
  message: 'This is not an address of the chain.',
  hint: 'Send the address as the wallet shows it.',
  cause: 'The text has not the form of an address of the chain, or its checksum is wrong.',
  fix: 'Send the address of the wallet unchanged.',
});

export const invalidWalletSignature = defineError({
  code: 'invalid_wallet_signature',
  status: 422,
  security: SecurityEvent.ProofRefused,
  message: 'The signature is not one of this address over this message.',
  hint: 'Sign exactly the text that is sent as messageToSign, with the wallet of the address.',
  cause:
    'Neither the key of the address nor, on EVM, the contract at the address has signed this message; or the signature is of a form that the service does not check, such as a multisignature or a zkLogin of Sui.',
  fix: 'Have the wallet sign the message again. A smart account must be deployed on the network of the message, or its signature wrapped as ERC-6492 has it.',
});

export const walletChainUnreadable = defineError({
  code: 'wallet_chain_unreadable',
  status: 503,
  message: 'The chain that must confirm this signature cannot be read right now.',
  hint: 'Try again in a moment.',
  cause:
    'Only the contract of a smart account can say whether a signature is its own, and no node of the network answered within five seconds. The service refuses rather than believe.',
  fix: 'Try again. When it goes on, set another `rpcUrl` for the network in the settings of the environment.',
});
