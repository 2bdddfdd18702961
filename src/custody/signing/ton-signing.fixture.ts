import { Address, type Cell, type MessageRelaxed, type OutActionSendMsg } from '@ton/core';
import { WalletContractV5R1 } from '@ton/ton';
import { ed25519PublicKey } from '../derivation/ed25519-key.js';
import { tonAddress } from '../ton/wallet-v5.js';

export const seed = Buffer.alloc(32, 9);
export const publicKey = ed25519PublicKey(seed);
export const account = { chain: 'TON', address: tonAddress(publicKey), publicKey } as const;
/** A main network wallet of the key, as @ton/ton makes it. */
export const walletNumber = (key: Buffer, subwalletNumber: number): WalletContractV5R1 =>
  WalletContractV5R1.create({
    publicKey: key,
    walletId: { networkGlobalId: -239, context: { walletVersion: 'v5r1', workchain: 0, subwalletNumber } },
  });

/** The first one whose address consists of letters and digits only. */
export function firstShown(key: Buffer): WalletContractV5R1 {
  let number = 0;
  while (!/^[A-Za-z0-9]+$/.test(shown(walletNumber(key, number).address))) number++;
  return walletNumber(key, number);
}

export const shown = (address: Address): string => address.toString({ bounceable: false });
export const wallet = firstShown(publicKey);
export const receiver = Address.parseRaw(`0:${'4'.repeat(64)}`);

type Actions = Parameters<WalletContractV5R1['createRequest']>[0]['actions'];
interface Options {
  readonly of?: WalletContractV5R1;
  readonly seqno?: number;
  readonly authType?: 'external' | 'internal';
}

export const sending = (outMsg: MessageRelaxed, mode = 3): OutActionSendMsg => ({ type: 'sendMsg', mode, outMsg });

/** What @ton/ton asks its signer to sign. */
export async function asked(actions: Actions, { of = wallet, seqno = 7, authType = 'external' }: Options = {}) {
  let message: Cell | undefined;
  const signer = (cell: Cell): Promise<Buffer> => {
    message = cell;
    return Promise.resolve(Buffer.alloc(64));
  };
  await of.createRequest({ actions, seqno, timeout: 1_900_000_000, authType, signer });
  return message!;
}
