/* global atob */

// Encodings of keys.
const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

export const fromBase64url = (text) =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (character) => character.charCodeAt(0));

export function toBase58(bytes) {
  let number = bytes.reduce((sum, byte) => sum * 256n + BigInt(byte), 0n);
  let text = '';
  for (; number > 0n; number /= 58n) text = BASE58[Number(number % 58n)] + text;
  const zeros = bytes.findIndex((byte) => byte !== 0);
  return '1'.repeat(zeros < 0 ? bytes.length : zeros) + text;
}

export function fromBase58(text) {
  let number = [...text].reduce((sum, character) => sum * 58n + BigInt(BASE58.indexOf(character)), 0n);
  const bytes = [];
  for (; number > 0n; number /= 256n) bytes.unshift(Number(number % 256n));
  const zeros = /^1*/.exec(text)[0].length;
  return Uint8Array.from([...new Array(zeros).fill(0), ...bytes]);
}

/** @param digits an even number of hexadecimal digits */
export const bytesIn = (digits) => Uint8Array.from(digits.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));

/** @throws Error unless the text is `length` bytes in hexadecimal */
export function fromHex(text, length, what) {
  const digits = text.trim().replace(/^0x/, '');
  if (digits.length !== 2 * length || !/^[0-9a-fA-F]*$/.test(digits)) {
    throw new Error(`${what} is ${length} bytes: ${2 * length} hexadecimal digits.`);
  }
  return bytesIn(digits);
}
