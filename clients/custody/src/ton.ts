import type { Cell } from '@ton/core';
import type { SharedKey } from './shared-key.js';
import { tonWallet } from './ton-cells.js';

export interface TonWalletId {
  readonly networkGlobalId: number;
  readonly context: { readonly walletVersion: 'v5r1'; readonly workchain: number; readonly subwalletNumber: number };
}

/** What wallets of `@ton/ton` take: `sign` as `signer`, the others for the wallet of version 5, first revision. */
export interface TonSigner {
  readonly address: string;
  readonly publicKey: Buffer;
  /** On the main network, the first of the key whose address has letters and digits alone. */
  readonly walletId: TonWalletId;
  readonly sign: (message: Cell) => Promise<Buffer>;
}

/**
 * A signer of `@ton/ton`, whose types alone are used, as is the `Buffer` that it brings or needs:
 * `WalletContractV5R1.create({ publicKey, walletId })` is the wallet, and its `createTransfer` takes `sign`.
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
