import { ripemd160 } from '@noble/hashes/legacy.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bech32, bech32m, createBase58check } from '@scure/base';

/** An address decoded to its script. */
export interface BitcoinScript {
  kind: 'p2pkh' | 'p2sh' | 'p2wpkh' | 'p2tr';
  /** The hash of the key or script; for taproot the key itself. */
  program: Uint8Array;
}

const base58check = createBase58check(sha256);
const VERSIONS: Readonly<Record<number, BitcoinScript['kind']>> = { 0x00: 'p2pkh', 0x05: 'p2sh' };
const PREFIX = 'bc';

export const hash160 = (bytes: Uint8Array): Uint8Array => ripemd160(sha256(bytes));
export const doubleSha256 = (bytes: Uint8Array): Uint8Array => sha256(sha256(bytes));

/** Decodes a mainnet address: BIP-173 and BIP-350 for segwit, base58check for older ones. */
export function parseBitcoinAddress(text: string): BitcoinScript | null {
  // No address is longer (BIP-173), and base58 decoding takes quadratic time.
  if (text.length > 90) return null;
  try {
    return /^bc1/i.test(text) ? parseSegwit(text) : parseBase58(text);
  } catch {
    return null;
  }
}

function parseBase58(text: string): BitcoinScript | null {
  const bytes = base58check.decode(text);
  const kind = VERSIONS[bytes[0] ?? -1];
  return kind && bytes.length === 21 ? { kind, program: bytes.subarray(1) } : null;
}

function parseSegwit(text: string): BitcoinScript | null {
  const isV0 = text[3]?.toLowerCase() === 'q';
  const coder = isV0 ? bech32 : bech32m;
  const { prefix, words } = coder.decode(text as `${string}1${string}`);
  const program = coder.fromWords(words.slice(1));
  if (prefix !== PREFIX) return null;
  if (isV0) return words[0] === 0 && program.length === 20 ? { kind: 'p2wpkh', program } : null;
  return words[0] === 1 && program.length === 32 ? { kind: 'p2tr', program } : null;
}

/** The hash in an address that a compressed key can spend from by segwit version 0 (BIP-141); null for other addresses. */
export function segwitHash(kind: BitcoinScript['kind'], key: Uint8Array): Uint8Array | null {
  if (kind === 'p2wpkh') return hash160(key);
  // P2SH-P2WPKH: the script behind the hash is `0 <20-byte hash of the key>`.
  return kind === 'p2sh' ? hash160(Buffer.concat([Buffer.of(0x00, 0x14), hash160(key)])) : null;
}

/** The output script of an address: version, length and program of segwit (BIP-141), or the hash of a script (BIP-16). */
export function outputScript({ kind, program }: BitcoinScript): Uint8Array {
  if (kind === 'p2sh') return Buffer.concat([Buffer.of(0xa9, 0x14), program, Buffer.of(0x87)]);
  return Buffer.concat([Buffer.of(kind === 'p2tr' ? 0x51 : 0x00, program.length), program]);
}

/** Bitcoin's length prefix; ours are below 65536. */
export function compactSize(value: number): Uint8Array {
  if (value < 0xfd) return Buffer.of(value);
  const bytes = Buffer.alloc(3, 0xfd);
  bytes.writeUInt16LE(value, 1);
  return bytes;
}
