import type { Cell } from '@ton/core';
import type { SharedKey } from './shared-key.js';
import { tonWallet } from './ton-cells.js';

export interface TonWalletId {
  readonly networkGlobalId: number;
  readonly context: { readonly walletVersion: 'v5r1'; readonly workchain: number; readonly subwalletNumber: number };
}

/** What `@ton/ton` wallets need: `sign` as `signer`, the rest for a v5 wallet, revision 1. */
export interface TonSigner {
  readonly address: string;
  readonly publicKey: Buffer;
  /** On the main network, the key's first wallet whose address has letters and digits only. */
  readonly walletId: TonWalletId;
  readonly sign: (message: Cell) => Promise<Buffer>;
}

/**
 * A signer for `@ton/ton`, of which only types are imported, as well as of its `Buffer`: the wallet is
 * `WalletContractV5R1.create({ publicKey, walletId })`, and its `createTransfer` takes `sign`.
 */
export function tonSigner(key: SharedKey): TonSigner {
  const { number: subwalletNumber } = tonWallet(key.publicKey);
  return {
    address: key.address,
    publicKey: Buffer.from(key.publicKey),
    walletId: { networkGlobalId: -239, context: { walletVersion: 'v5r1', workchain: 0, subwalletNumber } },
    sign: async (message) => Buffer.from(await key.sign('transaction', message.toBoc())),
  };
}
