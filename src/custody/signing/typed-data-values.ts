import { isAddress } from 'viem/utils';

/** The encoding of a value; null if it does not fit the type. */
type Encoder = (value: unknown) => Buffer | null;

const WORD_BYTES = 32;
const WORD_BITS = 8 * WORD_BYTES;
/** The only form that EIP-712 and every language read alike: some take leading zeros for octal. */
const DECIMAL = /^(?:0|-?[1-9]\d{0,77})$/;
const HEXADECIMAL = /^0x[0-9a-fA-F]{1,64}$/;
const HEX_BYTES = /^0x(?:[0-9a-fA-F]{2})*$/;
const SIZES = Array.from({ length: WORD_BYTES }, (_, at) => at + 1);

/** EIP-712, "Definition of encodeData": atomic values are 32-byte words. No other widths exist. */
export const ATOMIC: ReadonlyMap<string, Encoder> = new Map<string, Encoder>([
  ['bool', (value) => (typeof value === 'boolean' ? wordOf(value ? 1n : 0n) : null)],
  ['address', (value) => (typeof value === 'string' && isAddress(value) ? wordOf(BigInt(value)) : null)],
  ...SIZES.flatMap((bytes): [string, Encoder][] => [
    [`uint${8 * bytes}`, integer(0n, 2n ** BigInt(8 * bytes))],
    [`int${8 * bytes}`, integer(-(2n ** BigInt(8 * bytes - 1)), 2n ** BigInt(8 * bytes - 1))],
    [`bytes${bytes}`, (value) => fixedBytes(bytes, value)],
  ]),
]);

/** Variable-length types, encoded as a hash. */
export const DYNAMIC: ReadonlyMap<string, Encoder> = new Map<string, Encoder>([
  ['bytes', hexBytes],
  // Ill-formed Unicode has no UTF-8 encoding.
  ['string', (value) => (typeof value === 'string' && value.isWellFormed() ? Buffer.from(value) : null)],
]);

/** A safe integer, or text: decimal, or `0x` and hexadecimal. Null for anything else. */
export function integerOf(value: unknown): bigint | null {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : null;
  return typeof value === 'string' && (DECIMAL.test(value) || HEXADECIMAL.test(value)) ? BigInt(value) : null;
}

/** The number may have been rounded in parsing: JSON numbers are exact up to 53 bits (RFC 8259, section 6). */
export const isRounded = (value: unknown): boolean => Number.isInteger(value) && !Number.isSafeInteger(value);

function integer(least: bigint, end: bigint): Encoder {
  return (value) => {
    const number = integerOf(value);
    return number !== null && number >= least && number < end ? wordOf(number) : null;
  };
}

function hexBytes(value: unknown): Buffer | null {
  return typeof value === 'string' && HEX_BYTES.test(value) ? Buffer.from(value.slice(2), 'hex') : null;
}

/** Left-aligned, unlike numbers. */
function fixedBytes(length: number, value: unknown): Buffer | null {
  const bytes = hexBytes(value);
  return bytes?.length === length ? Buffer.concat([bytes], WORD_BYTES) : null;
}

/** Big-endian, in two's complement. */
const wordOf = (number: bigint): Buffer =>
  Buffer.from(
    BigInt.asUintN(WORD_BITS, number)
      .toString(16)
      .padStart(2 * WORD_BYTES, '0'),
    'hex',
  );
