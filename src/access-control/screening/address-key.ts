import { normalTonAddress } from '../../custody/index.js';

const EVM = /^0x[0-9a-f]{40}$/i;
/** Bech32 (BIP 173) is written in one case, and means the same in both. */
const BECH32 = /^(?:bc|tb|ltc)1[02-9ac-hj-np-z]{6,87}$/i;

/**
 * An address in the form in which equal means the same: one of TON is written in four ways. Chains that derive addresses alike share them, so the chain is
 * no part of it: whoever holds the key of an address on one network of EVM holds it on all.
 */
export const addressKey = (address: string): string =>
  EVM.test(address) || BECH32.test(address) ? address.toLowerCase() : (normalTonAddress(address) ?? address);
