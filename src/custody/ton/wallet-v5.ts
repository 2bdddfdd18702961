import { bigEndian, byteBits, Cell, numberBits } from './cell.js';
import { parseBoc } from './boc.js';
import { formatTonAddress, type TonAccount } from './ton-address.js';
import { WALLET_V5_CODE } from './wallet-v5-code.js';

/** The chain that everybody uses; the other one is for validators. */
const WORKCHAIN = 0;
/**
 * What the contract compares with what it is sent: the number of the main network (-239) by exclusive or with the number of
 * the wallet among those of its key on chain 0. So what is signed for one is not good for another, and the first wallet on
 * each network has an id of its own.
 */
const FIRST_WALLET_ID = 0x7fffff11;
const WALLETS = 2 ** 15;
/** Addresses of wallets have letters and digits alone, wherever the API shows them. */
const SHOWN = /^[A-Za-z0-9]+$/;

const CODE = parseBoc(WALLET_V5_CODE);

export interface TonWallet {
  readonly walletId: number;
  /** What the account is made with, the first time that anything leaves it: version 5, first revision. */
  readonly state: Cell;
  readonly account: TonAccount;
  readonly address: string;
}

/** The first wallet of a 32-byte Ed25519 public key whose address can be shown. One of four can. */
export function walletOf(publicKey: Buffer): TonWallet {
  for (let number = 0; number < WALLETS; number++) {
    const walletId = FIRST_WALLET_ID ^ number;
    const state = walletState(publicKey, walletId);
    const account = { workchain: WORKCHAIN, hash: state.hash };
    const address = formatTonAddress(account);
    if (SHOWN.test(address)) return { walletId, state, account, address };
  }
  throw new Error('No wallet of the key has an address that can be shown.');
}

export const tonAddress = (publicKey: Buffer): string => walletOf(publicKey).address;

/** Whether it is the id of a wallet on chain 0 of the main network. */
export const isWalletId = (id: number): boolean => (id ^ FIRST_WALLET_ID) >>> 0 < WALLETS;

function walletState(publicKey: Buffer, walletId: number): Cell {
  const [isSignatureAllowed, sequence, extensions] = ['1', numberBits(0, 32), '0'];
  const data = new Cell(isSignatureAllowed + sequence + numberBits(walletId, 32) + byteBits(publicKey) + extensions);
  // No depth, nothing special, code, data, no libraries.
  return new Cell('00110', [CODE, data]);
}

/** How an account is named in a message: in the standard form, without anycast. */
export const accountBits = ({ workchain, hash }: TonAccount): string =>
  `100${byteBits(bigEndian(workchain & 0xff, 1))}${byteBits(hash)}`;
