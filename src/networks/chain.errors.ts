import { defineError } from '../common/errors/index.js';

export const chainUnreadable = defineError({
  code: 'chain_unreadable',
  status: 503,
  message: 'The network cannot be read right now.',
  hint: 'Try again after the seconds given in Retry-After. payload.reason says what went wrong.',
  cause: 'No node of the network gave a valid answer within five seconds.',
  fix: 'Try again. If it persists, set another `rpcUrl` for the network in the settings of the environment.',
});

export const unknownNetwork = defineError({
  code: 'unknown_network',
  status: 422,
  message: 'The environment does not have this network.',
  hint: 'Use a network from the catalogue or a custom network of the organization, or enable a network of the chain.',
  cause:
    'The chain and number name neither a network of the catalogue nor a custom network of the organization, or no network of the chain is enabled in the settings and the request names none.',
  fix: 'Correct the number, enable a network of the chain, or add a custom network.',
});

export const chainNotSupported = defineError({
  code: 'chain_not_readable',
  status: 422,
  message: 'The service cannot read this from this kind of chain.',
  hint: 'Balances: EVM, SOL, ECLIPSE, SUI and BTC. History: EVM, SOL, ECLIPSE and BTC.',
  cause: 'The service does not support reading this on the chain.',
  fix: 'Use one of the chains named in the hint.',
});

export const invalidAccountAddress = defineError({
  code: 'invalid_account_address',
  status: 422,
  message: 'This is not a valid address of the chain.',
  hint: 'Send an account address in the format of the chain: 0x and 40 hex digits on EVM, base58 on Solana.',
  cause: 'The address does not have the format of the given chain.',
  fix: 'Correct the address or the chain.',
});

export const indexerNotConfigured = defineError({
  code: 'indexer_not_configured',
  status: 422,
  message: 'The history of this network needs an indexer, and the deployment has none for it.',
  hint: 'Operators: configure one for the network in CHAIN_INDEXERS.',
  cause:
    'EVM nodes cannot list the transactions of an address. An indexer can, and `CHAIN_INDEXERS` has none for this network.',
  fix: 'Set `CHAIN_INDEXERS` to JSON such as `{"eip155:1":{"history":"https://api.etherscan.io/v2/api?chainid=1&apikey=…"}}` and start the service again.',
});

export const vendorUnavailable = defineError({
  code: 'vendor_unavailable',
  status: 503,
  message: 'A third-party service needed for this answer is unavailable right now.',
  hint: 'Try again after the seconds given in Retry-After. payload.vendor and payload.reason say what went wrong.',
  cause: 'A vendor that the operator has configured did not give a valid answer within five seconds.',
  fix: 'Try again. Operators: `npm run doctor` and the metrics `gatehouse_vendor_…` show the state of the vendor.',
});
