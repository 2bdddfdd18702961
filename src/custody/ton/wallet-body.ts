import { UnreadableRequest } from '../signing/byte-reader.js';
import type { Cell } from './cell.js';
import { CellReader } from './cell-reader.js';
import { formatTonAddress } from './ton-address.js';
import { isWalletId } from './wallet-v5.js';

/** "sign": what comes from outside, with a signature. */
const SIGNED_FROM_OUTSIDE = 0x7369676en;
const SEND_MESSAGE = 0x0ec3c86dn;
/** The contract sends so many messages at once. */
const MOST_MESSAGES = 255;
/** The fee is paid beside the amount; errors are passed over; and what cannot be delivered comes back. */
const PLAIN_MODES = 1n | 2n | 16n;
/** Of a body that is a text for people. */
const COMMENT = 0n;

/** One message that the wallet is to send. */
export interface TonTransfer {
  /** In the form that wallets show; null for a message to nobody on a chain. */
  readonly to: string | null;
  /** Null where it is whatever the wallet has, or more than coins. */
  readonly value: bigint | null;
  /** It carries nothing, or a text for people. */
  readonly isPlain: boolean;
}

export interface WalletBody {
  readonly walletId: number;
  readonly sequence: bigint;
  readonly transfers: readonly TonTransfer[];
}

/**
 * What the wallet contract is told from outside, without the signature that stands behind it.
 *
 * @throws UnreadableRequest for everything that sends no messages, and what would change who may use the wallet
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

/** Each element of the list leads to those before it; the last one is an empty cell. */
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
  reader.coins();
  reader.coins();
  reader.bits(64 + 32);
  const hasState = reader.bit();
  const isKnown = (mode & ~PLAIN_MODES) === 0n && !hasOtherCurrencies;
  const value = isKnown ? amount : null;
  return { to, value, isPlain: !hasState && isPlainBody(reader) };
}

/** Behind everything else: in the message itself or in a cell of its own. Nothing, or a text, which may go on in other cells. */
function isPlainBody(reader: CellReader): boolean {
  if (!reader.bit()) return reader.isAtEnd || reader.next(32) === COMMENT;
  const body = new CellReader(reader.reference());
  return reader.isAtEnd && (body.isAtEnd || body.next(32) === COMMENT);
}

/** Null for nobody, and for forms that wallets do not send to. */
function readAddress(reader: CellReader): string | null {
  const form = reader.bits(2);
  if (form === '00') return null;
  if (form !== '10' || reader.bit()) throw new UnreadableRequest('an address in it has an unknown form');
  const workchain = Number(BigInt.asIntN(8, reader.uint(8)));
  const hash = Buffer.from(reader.uint(256).toString(16).padStart(64, '0'), 'hex');
  return formatTonAddress({ workchain, hash });
}
