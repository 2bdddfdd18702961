import type { ApiParamOptions } from '@nestjs/swagger';
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

/** The chain name in a path. */
export const CHAIN_NAME: ApiParamOptions = { name: 'chainName', enum: [...CHAINS.values], enumName: CHAINS.name };
