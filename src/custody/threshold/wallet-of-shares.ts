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

/** A wallet whose key is shared with its user, and never put together. */
export interface SharedWallet extends KeyedWallet {
  readonly chain: ThresholdChain;
}

/** A wallet whose key is split between its user and the service, and is whole on the user's device while it signs. */
export interface SplitWallet extends KeyedWallet {
  readonly chain: 'EVM';
}

/** A wallet of whose key the service has shares, whichever way they were made. */
export type WalletOfShares = SharedWallet | SplitWallet;

/** Which way that was. */
export const protocolOf = ({ chain }: Pick<WalletOfShares, 'chain'>): ShareProtocol =>
  chain === 'EVM' ? 'SHAMIR' : 'FROST';
