import { keccak_256 } from '@noble/hashes/sha3.js';

/**
 * Address of an uncompressed secp256k1 public key (`04 | x | y`): the last 20 bytes of Keccak-256 of `x | y`
 * (Ethereum Yellow Paper, appendix F), with its checksum.
 */
export function evmAddress(publicKey: Uint8Array): string {
  return checksumAddress(Buffer.from(keccak_256(publicKey.subarray(1)).subarray(12)).toString('hex'));
}

/**
 * EIP-55: a letter is upper case where the same digit of Keccak-256 of the lower-case text is 8 or more.
 *
 * @param hex 40 lower-case hexadecimal digits, without `0x`
 */
export function checksumAddress(hex: string): string {
  const hash = keccak_256(Buffer.from(hex, 'latin1'));
  let address = '0x';
  for (const [position, digit] of [...hex].entries()) {
    const byte = hash[position >> 1] ?? 0;
    const nibble = position & 1 ? byte & 0x0f : byte >> 4;
    address += nibble >= 8 ? digit.toUpperCase() : digit;
  }
  return address;
}
