import { defineError } from '../../common/errors/index.js';
import { SecurityEvent } from '../../common/security/index.js';

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
