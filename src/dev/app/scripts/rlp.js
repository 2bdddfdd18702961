import { bytesIn, fromHex } from './bytes.js';
import { hexOf } from './service.js';

// Unsigned EVM transactions: EIP-1559, in the EIP-2718 envelope, encoded as RLP.
const TYPE = 2;

/** Integers have no leading zeros, and zero is empty. */
function bytesOf(number) {
  const digits = number.toString(16);
  return number === 0n ? new Uint8Array() : bytesIn(digits.padStart(digits.length + (digits.length % 2), '0'));
}

const joined = (parts) => Uint8Array.from(parts.flatMap((part) => [...part]));

function headed(short, bytes) {
  if (bytes.length < 56) return joined([[short + bytes.length], bytes]);
  const length = bytesOf(BigInt(bytes.length));
  return joined([[short + 55 + length.length], length, bytes]);
}

function encoded(item) {
  if (Array.isArray(item)) return headed(0xc0, joined(item.map(encoded)));
  return item.length === 1 && item[0] < 0x80 ? item : headed(0x80, item);
}

/** A transfer, with all numbers as BigInt. @throws Error for an invalid address */
export function transferOf({ chainId, nonce, tip, fee, gas, to, value }) {
  const numbers = [chainId, nonce, tip, fee, gas].map(bytesOf);
  const nothing = new Uint8Array();
  return `0x${hexOf([TYPE, ...encoded([...numbers, fromHex(to, 20, 'The address'), bytesOf(value), nothing, []])])}`;
}
