import { defineEnum, type EnumValue } from '../../common/fields/index.js';

export const CHAINS = defineEnum('ChainEnum', [
  'ETH',
  'EVM',
  'FLOW',
  'SOL',
  'ALGO',
  'STARK',
  'COSMOS',
  'BTC',
  'ECLIPSE',
  'SUI',
  'SPARK',
  'TRON',
  'APTOS',
  'TON',
]);
export type Chain = EnumValue<typeof CHAINS>;

/** What an address beside the main one of a wallet is for. */
export const WALLET_ADDRESS_TYPES = defineEnum('WalletAddressType', ['ordinals', 'payment', 'cosmos', 'evm']);
