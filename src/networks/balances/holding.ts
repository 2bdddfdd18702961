import type { EnvironmentId } from '../../auth/index.js';
import type { AccountNetwork } from '../account-networks.js';

/** What an account holds of one token, or of the currency of the network. */
export interface Holding {
  address: string;
  name: string;
  symbol: string;
  decimals: number;
  logoURI: string;
  raw: bigint;
  isNative: boolean;
  /** Whether its name comes from a token list or the catalogue, rather than from the token or an organization. */
  isListed: boolean;
}

export interface HoldingsQuestion {
  environmentId: EnvironmentId;
  network: AccountNetwork;
  /** In the service's canonical form. */
  account: string;
  /** Tokens to look up even if no list has them. */
  contracts: readonly string[];
  fresh: boolean;
}

/** Reads what accounts hold on one kind of network. */
export interface HoldingsReader {
  /** @throws ChainUnreadableError, VendorUnavailableError */
  read(question: HoldingsQuestion): Promise<Holding[]>;
}

/** The native currency's name among token addresses; on EVM, the zero address. */
export const NATIVE_ADDRESSES: Record<AccountNetwork['family'], string> = {
  evm: '0x0000000000000000000000000000000000000000',
  solana: '11111111111111111111111111111111',
  sui: '0x2::sui::SUI',
  bitcoin: 'bitcoin',
};

export const nativeHolding = (
  { family, nativeSymbol, nativeDecimals, isNativeKnown }: AccountNetwork,
  raw: bigint,
): Holding => ({
  address: NATIVE_ADDRESSES[family],
  name: nativeSymbol,
  symbol: nativeSymbol,
  decimals: nativeDecimals,
  logoURI: '',
  raw,
  isNative: true,
  isListed: isNativeKnown,
});
