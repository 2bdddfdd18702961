import { defineError } from '../../common/errors/index.js';
import { SecurityEvent } from '../../common/security/index.js';

export const invalidSignInMessage = defineError({
  code: 'invalid_sign_in_message',
  status: 422,
  message: 'This message cannot be used to sign in here.',
  hint: 'Build the message according to EIP-4361.',
  cause:
    'The message is not a valid EIP-4361 message, or one of its fields is wrong: domain and URI must be a registered origin of the environment and the calling site, the version must be 1, the times current, and the address that of the request. The hint in the response names the field.',
  fix: 'Correct the field that the hint names. The message is read line by line, so nothing may be added to it.',
});

export const invalidNonce = defineError({
  code: 'invalid_nonce',
  status: 422,
  security: SecurityEvent.ProofRefused,
  message: 'The nonce of the message is no longer valid.',
  hint: 'Ask for a new nonce and sign a new message.',
  cause: 'The nonce was already used, is older than five minutes, belongs to another environment, or was never issued.',
  fix: 'Call getNonce (or getNonces) for each message to be signed.',
});

export const invalidWalletSignature = defineError({
  code: 'invalid_wallet_signature',
  status: 422,
  security: SecurityEvent.ProofRefused,
  message: 'The signature does not match this address and message.',
  hint: 'Sign exactly the text that is sent as messageToSign, with the wallet of the address.',
  cause:
    'The message was signed neither by the key of the address nor, on EVM, by the contract at the address; or the service does not support the kind of signature, such as a multisignature or Sui zkLogin.',
  fix: 'Have the wallet sign the message again. A smart account must be deployed on the network of the message, or its signature wrapped according to ERC-6492.',
});

export const walletChainUnreadable = defineError({
  code: 'wallet_chain_unreadable',
  status: 503,
  message: 'The chain needed to verify this signature cannot be read right now.',
  hint: 'Try again after the seconds given in Retry-After.',
  cause:
    'Only the contract of a smart account can verify its signatures, and no node of the network answered within five seconds. The service refuses rather than skip the check.',
  fix: 'Try again. If it persists, set another `rpcUrl` for the network in the settings of the environment.',
});
