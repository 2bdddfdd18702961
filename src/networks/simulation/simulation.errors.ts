import { defineError } from '../../common/errors/index.js';

export const simulationNotSupported = defineError({
  code: 'simulation_not_supported',
  status: 422,
  message: 'No node of this network can simulate transactions.',
  hint: 'Set an rpcUrl for the network, in the settings of the environment, whose node has eth_simulateV1 or debug_traceCall.',
  cause:
    'A simulation runs on a node of the network, and those known answer neither `eth_simulateV1` nor `debug_traceCall`.',
  fix: 'Set another `rpcUrl` for the network in the settings of the environment.',
});

export const invalidTransaction = defineError({
  code: 'invalid_transaction',
  status: 422,
  message: 'This is no transaction of the chain.',
  hint: 'payload.field names what cannot be read.',
  cause: 'An address, amount, number of a network or the data of the transaction is malformed.',
  fix: 'Send the transaction as the wallet would: hex on EVM, the serialized bytes in base64 or base58 on Solana.',
});
