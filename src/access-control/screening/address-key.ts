import { normalTonAddress } from '../../custody/index.js';

const EVM = /^0x[0-9a-f]{40}$/i;
/** Bech32 (BIP 173) is single-case, and both cases are equivalent. */
const BECH32 = /^(?:bc|tb|ltc)1[02-9ac-hj-np-z]{6,87}$/i;

/**
 * The canonical form of an address for comparison; a TON address has four notations. The chain is not included: chains
 * with the same address derivation share addresses, as one key controls an EVM address on all EVM networks.
 */
export const addressKey = (address: string): string =>
  EVM.test(address) || BECH32.test(address) ? address.toLowerCase() : (normalTonAddress(address) ?? address);
