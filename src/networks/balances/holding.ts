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
  /** Whether a token list, and so not the token itself, says what it is called. */
  isListed: boolean;
}

export interface HoldingsQuestion {
  environmentId: EnvironmentId;
  network: AccountNetwork;
  /** In the one form that the service uses. */
  account: string;
  /** Tokens to look for although no list has them. */
  contracts: readonly string[];
  fresh: boolean;
}

/** Says what accounts of one kind of network hold. */
export interface HoldingsReader {
  /** @throws ChainUnreadableError, VendorUnavailableError */
  read(question: HoldingsQuestion): Promise<Holding[]>;
}

/** How the currency of a network is named where tokens are named by address; the zero address stands for it on EVM. */
export const NATIVE_ADDRESSES: Record<AccountNetwork['family'], string> = {
  evm: '0x0000000000000000000000000000000000000000',
  solana: '11111111111111111111111111111111',
  sui: '0x2::sui::SUI',
  bitcoin: 'bitcoin',
};

export const nativeHolding = ({ family, nativeSymbol, nativeDecimals }: AccountNetwork, raw: bigint): Holding => ({
  address: NATIVE_ADDRESSES[family],
  name: nativeSymbol,
  symbol: nativeSymbol,
  decimals: nativeDecimals,
  logoURI: '',
  raw,
  isNative: true,
  isListed: true,
});
