import { createHash } from 'node:crypto';
import { bech32, bech32m } from '@scure/base';

const OP_1 = 0x51;
/** A script of this alone: nobody can spend it. */
export const OP_RETURN = Buffer.of(0x6a);
/** Prefix and version of a Taproot address (BIP-350). */
const TAPROOT_PREFIX = 'bc1p';
/** The smallest values that need the next longer encoding. */
const TWO_BYTES = 0xfd;
const FOUR_BYTES = 0x1_0000;

export const sha256 = (bytes: Uint8Array): Buffer => createHash('sha256').update(bytes).digest();
/** A hash bound to one purpose (BIP-340, "Design"). */
export function taggedHash(purpose: string, message: Uint8Array): Buffer {
  const tag = sha256(Buffer.from(purpose));
  return sha256(Buffer.concat([tag, tag, message]));
}

export const doubleSha256 = (bytes: Uint8Array): Buffer => sha256(sha256(bytes));

export const isTaproot = (address: string): boolean => address.startsWith(TAPROOT_PREFIX);

/** The witness program of one of our addresses: the public key hash for P2WPKH, the key itself for P2TR. */
export function programOf(address: string): Buffer {
  const form = isTaproot(address) ? bech32m : bech32;
  return Buffer.from(form.fromWords(form.decode(address as `bc1${string}`).words.slice(1)));
}

/** The output script of such an address: its version and 20 or 32 bytes (BIP-141). */
export function scriptOf(address: string): Buffer {
  const program = programOf(address);
  return Buffer.concat([Buffer.of(isTaproot(address) ? OP_1 : 0, program.length), program]);
}

/** A length in Bitcoin's CompactSize encoding. */
export function compactSize(value: number): Buffer {
  if (value < TWO_BYTES) return Buffer.of(value);
  const isShort = value < FOUR_BYTES;
  const bytes = Buffer.alloc(isShort ? 3 : 5, isShort ? 0xfd : 0xfe);
  if (isShort) bytes.writeUInt16LE(value, 1);
  else bytes.writeUInt32LE(value, 1);
  return bytes;
}

/** Bytes prefixed with their length. */
export const sized = (bytes: Uint8Array): Buffer => Buffer.concat([compactSize(bytes.length), bytes]);
