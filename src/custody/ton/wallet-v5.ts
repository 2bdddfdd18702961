import { bigEndian, byteBits, Cell, numberBits } from './cell.js';
import { parseBoc } from './boc.js';
import { formatTonAddress, type TonAccount } from '../../common/addresses/ton-address.js';
import { WALLET_V5_CODE } from './wallet-v5-code.js';

/** The basechain, which everyone uses; the masterchain is for validators. */
const WORKCHAIN = 0;
/**
 * The id that the contract checks in every request: the main network's number (-239) XOR the number of the wallet among
 * those of its key on chain 0. So a request signed for one wallet is not valid for another, and the first wallet on
 * each network has an id of its own.
 */
const FIRST_WALLET_ID = 0x7fffff11;
const WALLETS = 2 ** 15;
/** The API shows only wallet addresses that consist of letters and digits. */
const SHOWN = /^[A-Za-z0-9]+$/;

const CODE = parseBoc(WALLET_V5_CODE);

export interface TonWallet {
  readonly walletId: number;
  /** Initial state of the account, deployed with its first outgoing message: version 5, first revision. */
  readonly state: Cell;
  readonly account: TonAccount;
  readonly address: string;
}

/** The first wallet of a 32-byte Ed25519 public key whose address can be shown. One in four can. */
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
  // No depth, not special, code, data, no libraries.
  return new Cell('00110', [CODE, data]);
}

/** An account in a message: the standard address form, without anycast. */
export const accountBits = ({ workchain, hash }: TonAccount): string =>
  `100${byteBits(bigEndian(workchain & 0xff, 1))}${byteBits(hash)}`;
