import { createHash } from 'node:crypto';
import { bech32 } from '@scure/base';

const PROGRAM_BYTES = 20;
/** The lowest values that take the next larger form. */
const TWO_BYTES = 0xfd;
const FOUR_BYTES = 0x1_0000;

export const sha256 = (bytes: Uint8Array): Buffer => createHash('sha256').update(bytes).digest();
export const doubleSha256 = (bytes: Uint8Array): Buffer => sha256(sha256(bytes));

/** The hash of the public key in an address of ours: P2WPKH, which custody derives. */
export const programOf = (address: string): Buffer =>
  Buffer.from(bech32.fromWords(bech32.decode(address as `bc1${string}`).words.slice(1)));

/** The output script of such an address: version 0, 20 bytes (BIP-141). */
export const scriptOf = (address: string): Buffer => Buffer.concat([Buffer.of(0, PROGRAM_BYTES), programOf(address)]);

/** A length as Bitcoin writes it. */
export function compactSize(value: number): Buffer {
  if (value < TWO_BYTES) return Buffer.of(value);
  const isShort = value < FOUR_BYTES;
  const bytes = Buffer.alloc(isShort ? 3 : 5, isShort ? 0xfd : 0xfe);
  if (isShort) bytes.writeUInt16LE(value, 1);
  else bytes.writeUInt32LE(value, 1);
  return bytes;
}

/** Bytes with their length before them. */
export const sized = (bytes: Uint8Array): Buffer => Buffer.concat([compactSize(bytes.length), bytes]);
