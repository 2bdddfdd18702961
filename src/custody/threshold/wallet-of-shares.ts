import type { EnvironmentId } from '../../database/index.js';
import type { ShareProtocol } from './schemes.js';
import type { ThresholdChain } from './threshold-chains.js';

interface KeyedWallet {
  readonly environmentId: EnvironmentId;
  readonly userId: string;
  readonly walletId: string;
  readonly keysId: string;
  readonly address: string;
}

/** A wallet whose key is shared with its user and never reassembled. */
export interface SharedWallet extends KeyedWallet {
  readonly chain: ThresholdChain;
}

/** A wallet whose key is split between user and service, and is whole only on the user's device while it signs. */
export interface SplitWallet extends KeyedWallet {
  readonly chain: 'EVM';
}

/** A wallet of whose key the service holds shares, of either protocol. */
export type WalletOfShares = SharedWallet | SplitWallet;

/** The protocol of a wallet's shares. */
export const protocolOf = ({ chain }: Pick<WalletOfShares, 'chain'>): ShareProtocol =>
  chain === 'EVM' ? 'SHAMIR' : 'FROST';
