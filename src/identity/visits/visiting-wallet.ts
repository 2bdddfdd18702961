import { getAddress, isAddress } from 'viem';
import { spellingsOf } from '../../common/addresses/normal-address.js';
import { CHAIN_NAMESPACES, chainOf, ignoresCase, storedNamesOf, type Chain } from '../vocabulary/chains.js';

/** A wallet as visitors are stored, and the spellings in which it may be stored already. */
export interface VisitingWallet {
  address: string;
  chain: Chain;
  addresses: readonly string[];
  chains: readonly string[];
}

/**
 * Wallets report an EVM address in lower case or with its checksum (EIP-55), and its chain as `EVM` or `ETH`. It is one
 * wallet in all of them.
 */
export function visitingWalletOf(reported: { address: string; chain: Chain }): VisitingWallet {
  const { address, chain } = reported;
  const isOneInAnyCase = ignoresCase(CHAIN_NAMESPACES[chain]) && isAddress(address, { strict: false });
  const spelled = isOneInAnyCase ? getAddress(address) : address;
  return {
    address: spelled,
    chain: chainOf(chain) ?? chain,
    addresses: [...new Set([spelled, address, ...spellingsOf(CHAIN_NAMESPACES[chain], address)])],
    chains: storedNamesOf(chain),
  };
}
