import { normalTonAddress } from '../../custody/index.js';
import { caseless } from '../caseless.js';

/**
 * The canonical form of an address for comparison; a TON address has four notations. The chain is not included: chains
 * with the same address derivation share addresses, as one key controls an EVM address on all EVM networks.
 */
export const addressKey = (address: string): string => normalTonAddress(address) ?? caseless(address);
