import { sha256 } from '@noble/hashes/sha2.js';
import { base64url } from '@scure/base';
import { fromHex, joined, toHex } from './encoding.js';

/** The parts of a TON cell that go into hashes. */
interface HashedCell {
  readonly hash: Uint8Array;
  readonly depth: number;
}

const MAGIC = 'b5ee9c72';
const INDEXED = 0x80;
/** The first two bytes of a non-bounceable address, the form that wallets display: tag and workchain. */
const NON_BOUNCEABLE = Uint8Array.of(0x51, 0);
/** The id of a key's first wallet on the main network, for the v5 contract. */
const FIRST_WALLET_ID = 0x7fffff11n;
const WALLETS = 2 ** 15;
/** Addresses that the service displays: letters and digits only. */
const SHOWN = /^[A-Za-z0-9]+$/;
/** The code of the v5 contract, revision 1. */
const CODE: HashedCell = {
  hash: fromHex('20834b7b72b112147e1b2fb457b84e74d1a30f04f737d4f62a668e9552d2b72f'),
  depth: 6,
};

/** The representation hash of a cell, from its serialised descriptors and data. */
function hashed(own: Uint8Array, references: readonly HashedCell[]): HashedCell {
  const depths = references.map(({ depth }) => Uint8Array.of(depth >> 8, depth & 0xff));
  const hash = sha256(joined(own, ...depths, ...references.map((one) => one.hash)));
  return { hash, depth: references.reduce((most, { depth }) => Math.max(most, depth + 1), 0) };
}

/** The hash of the root of a bag of ordinary cells. @throws Error for anything else */
export function rootHash(boc: Uint8Array): Uint8Array {
  let at = 0;
  const take = (length: number): Uint8Array => {
    if (at + length > boc.length) throw new Error('The bag of cells ends before it is whole.');
    at += length;
    return boc.slice(at - length, at);
  };
  const number = (length: number): number => take(length).reduce((sum, byte) => sum * 256 + byte, 0);
  if (toHex(take(4)) !== MAGIC) throw new Error('This is no bag of cells.');
  const flags = number(1);
  const size = flags & 7;
  const offsetBytes = number(1);
  const [count, roots] = [number(size), number(size)];
  take(size + offsetBytes);
  if (roots !== 1 || number(size) !== 0) throw new Error('The first cell is not the one root.');
  if (flags & INDEXED) take(count * offsetBytes);
  const written = Array.from({ length: count }, () => {
    const head = take(2);
    if (head[0]! > 4) throw new Error('A cell is no ordinary one.');
    const own = joined(head, take(Math.ceil(head[1]! / 2)));
    return { own, references: Array.from({ length: head[0]! }, () => number(size)) };
  });
  const cells: HashedCell[] = [];
  for (let index = count - 1; index >= 0; index--) {
    const { own, references } = written[index]!;
    const found = references.map((to) => cells[to]);
    if (!found.every((one) => one !== undefined)) throw new Error('A cell leads to none behind it.');
    cells[index] = hashed(own, found);
  }
  if (!cells[0]) throw new Error('The bag of cells is empty.');
  return cells[0].hash;
}

/** The first wallet of a key whose address has letters and digits only, with its wallet number. */
export function tonWallet(key: Uint8Array): { number: number; address: string } {
  for (let number = 0; number < WALLETS; number++) {
    const named = joined(NON_BOUNCEABLE, tonAccount(key, number));
    const address = base64url.encode(joined(named, crc16(named)));
    if (SHOWN.test(address)) return { number, address };
  }
  throw new Error('No wallet of the key has an address that can be shown.');
}

/** The hash of the initial state of a key's wallet. */
function tonAccount(key: Uint8Array, number: number): Uint8Array {
  const walletId = FIRST_WALLET_ID ^ BigInt(number);
  // Signatures allowed, seqno 0, wallet id, key, no extensions; then the padding of the last byte.
  const data = (1n << 321n) | (walletId << 257n) | (BigInt(`0x${toHex(key)}`) << 1n);
  const own = fromHex(`0051${(((data << 1n) | 1n) << 5n).toString(16)}`);
  // Code and data only.
  return hashed(Uint8Array.of(2, 1, 0x34), [CODE, hashed(own, [])]).hash;
}

/** The account in an address as displayed by wallets. */
export const accountOf = (address: string): Uint8Array => base64url.decode(address).slice(2, 34);

function crc16(bytes: Uint8Array): Uint8Array {
  let rest = 0;
  for (const byte of bytes) {
    rest ^= byte << 8;
    for (let bit = 0; bit < 8; bit++) rest = ((rest << 1) ^ (rest & 0x8000 ? 0x1021 : 0)) & 0xffff;
  }
  return Uint8Array.of(rest >> 8, rest & 0xff);
}
