import { defineError } from '../../common/errors/index.js';

export const simulationNotSupported = defineError({
  code: 'simulation_not_supported',
  status: 422,
  message: 'No node of this network can simulate transactions.',
  hint: 'In the settings of the environment, set an rpcUrl for the network whose node supports eth_simulateV1 or debug_traceCall.',
  cause:
    'Simulations run on a node of the network, and the configured nodes support neither `eth_simulateV1` nor `debug_traceCall`.',
  fix: 'Set another `rpcUrl` for the network in the settings of the environment.',
});

export const invalidTransaction = defineError({
  code: 'invalid_transaction',
  status: 422,
  message: 'This is not a valid transaction of the chain.',
  hint: 'payload.field names what cannot be read.',
  cause: 'An address, an amount, a chain id or the data of the transaction is malformed.',
  fix: 'Send the transaction as the wallet would: hex on EVM, the serialized bytes in base64 or base58 on Solana.',
});
