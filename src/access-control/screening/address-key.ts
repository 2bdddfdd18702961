import { spellingsOnAnyChain } from '../../common/addresses/normal-address.js';

/**
 * The canonical form of an address for comparison. The chain is not included: chains with the same address derivation
 * share addresses, as one key controls an EVM address on all EVM networks.
 */
export const addressKey = (address: string): string => spellingsOnAnyChain(address)[0];
