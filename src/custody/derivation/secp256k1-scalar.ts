/** Order n of the secp256k1 group (SEC 2, section 2.4.1). */
const ORDER = Buffer.from('fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141', 'hex');
/** 2^256 - n: adding it modulo 2^256 subtracts n. */
const ORDER_COMPLEMENT = Buffer.from('000000000000000000000000000000014551231950b75fc4402da1732fc9bebf', 'hex');
const ZERO = Buffer.alloc(32);

const WORD_BYTES = 4;
const WORD = 0x1_0000_0000;

/** Whether 32 big-endian bytes are a valid private key: 1 to n - 1. */
export function isScalar(bytes: Buffer): boolean {
  return bytes.compare(ORDER) < 0 && !bytes.equals(ZERO);
}

/**
 * `target = (target + addend) mod n` over 32 big-endian bytes, both below n on entry. In place and on bytes, because a
 * BigInt could not be wiped.
 */
export function addScalar(target: Buffer, addend: Buffer): void {
  const carry = addBytes(target, addend);
  if (carry === 1 || target.compare(ORDER) >= 0) addBytes(target, ORDER_COMPLEMENT);
}

/** Addition modulo 2^256; returns the carry. */
function addBytes(target: Buffer, addend: Buffer): number {
  let carry = 0;
  for (let at = target.length - WORD_BYTES; at >= 0; at -= WORD_BYTES) {
    const sum = target.readUInt32BE(at) + addend.readUInt32BE(at) + carry;
    target.writeUInt32BE(sum % WORD, at);
    carry = sum >= WORD ? 1 : 0;
  }
  return carry;
}
