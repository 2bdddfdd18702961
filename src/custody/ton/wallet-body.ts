import { UnreadableRequest } from '../signing/byte-reader.js';
import type { Cell } from './cell.js';
import { CellReader } from './cell-reader.js';
import { formatTonAddress } from '../../common/addresses/ton-address.js';
import { isWalletId } from './wallet-v5.js';

/** "sign": an external request with a signature. */
const SIGNED_FROM_OUTSIDE = 0x7369676en;
const SEND_MESSAGE = 0x0ec3c86dn;
/** The most messages that the contract sends at once. */
const MOST_MESSAGES = 255;
/** Fees are paid separately; errors are ignored; and a failed action bounces. */
const PLAIN_MODES = 1n | 2n | 16n;
/** Marks a body that is a text comment. */
const COMMENT = 0n;

/** One message that the wallet is to send. */
export interface TonTransfer {
  /** In the form that wallets display; null if it has no account to go to. */
  readonly to: string | null;
  /** Null if it is the whole balance, includes other currencies, or names fees, which the wallet pays besides. */
  readonly value: bigint | null;
  /** The body is empty or a text comment. */
  readonly isPlain: boolean;
}

export interface WalletBody {
  readonly walletId: number;
  readonly sequence: bigint;
  readonly transfers: readonly TonTransfer[];
}

/**
 * Parses an external request to the wallet contract, without the signature that follows it.
 *
 * @throws UnreadableRequest for anything that sends no messages or would change who may use the wallet
 */
export function parseWalletBody(cell: Cell): WalletBody {
  const reader = new CellReader(cell);
  if (reader.uint(32) !== SIGNED_FROM_OUTSIDE) throw new UnreadableRequest('it is no request from outside to a wallet');
  const walletId = Number(reader.uint(32));
  if (!isWalletId(walletId)) throw new UnreadableRequest('it is for another wallet or network');
  reader.uint(32);
  const sequence = reader.uint(32);
  const messages = reader.bit() ? reader.reference() : null;
  if (reader.bit()) throw new UnreadableRequest('it changes who may use the wallet');
  reader.end();
  if (!messages) throw new UnreadableRequest('it sends nothing');
  return { walletId, sequence, transfers: transfersOf(messages) };
}

/** Each list element refers to the previous ones; the innermost is an empty cell. */
function transfersOf(list: Cell): TonTransfer[] {
  const found: TonTransfer[] = [];
  for (let left = list; left.bits.length > 0 || left.references.length > 0;) {
    if (found.length === MOST_MESSAGES) throw new UnreadableRequest('it sends more messages than a wallet does');
    const reader = new CellReader(left);
    left = reader.reference();
    if (reader.uint(32) !== SEND_MESSAGE) throw new UnreadableRequest('it does something else than send messages');
    const mode = reader.uint(8);
    found.push(transferOf(reader.reference(), mode));
    reader.end();
  }
  if (found.length === 0) throw new UnreadableRequest('it sends nothing');
  return found;
}

function transferOf(message: Cell, mode: bigint): TonTransfer {
  const reader = new CellReader(message);
  if (reader.bit()) return { to: null, value: null, isPlain: false };
  reader.bits(3);
  readAddress(reader);
  const to = readAddress(reader);
  const amount = reader.coins();
  const hasOtherCurrencies = reader.bit();
  if (hasOtherCurrencies) reader.reference();
  const fees = reader.coins() + reader.coins();
  reader.bits(64 + 32);
  const hasState = reader.bit();
  const isKnown = (mode & ~PLAIN_MODES) === 0n && !hasOtherCurrencies && fees === 0n;
  const value = isKnown ? amount : null;
  return { to, value, isPlain: !hasState && isPlainBody(reader) };
}

/** At the end, inline or in its own cell: empty, or text, which may continue in further cells. */
function isPlainBody(reader: CellReader): boolean {
  if (!reader.bit()) return reader.isAtEnd || reader.next(32) === COMMENT;
  const body = new CellReader(reader.reference());
  return reader.isAtEnd && (body.isAtEnd || body.next(32) === COMMENT);
}

/** Null for no address. @throws UnreadableRequest for any form other than a standard address */
function readAddress(reader: CellReader): string | null {
  const form = reader.bits(2);
  if (form === '00') return null;
  if (form !== '10' || reader.bit()) throw new UnreadableRequest('an address in it has an unknown form');
  const workchain = Number(BigInt.asIntN(8, reader.uint(8)));
  const hash = Buffer.from(reader.uint(256).toString(16).padStart(64, '0'), 'hex');
  return formatTonAddress({ workchain, hash });
}
