import { secp256k1 } from '@noble/curves/secp256k1.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { fromHex, toHex } from '../encoding.js';
import { SCHEMES, type Scheme } from '../key-generation.js';
import type { PublicShares } from '../shares.js';

const { Point } = secp256k1;
const { Fn } = Point;

/** A share of a key: a point of the polynomial. Secret. */
export interface SplitShare {
  readonly id: number;
  readonly share: string;
}

/**
 * Splits a key of secp256k1 by a polynomial over the order of the curve (Shamir), with commitments to its coefficients
 * (Feldman). As many shares as the scheme takes give the key, and fewer say nothing of it.
 *
 * @param rest the other coefficients, made here unless they are given
 */
export function splitKey(
  key: Uint8Array,
  scheme: Scheme,
  rest: readonly Uint8Array[] = Array.from({ length: SCHEMES[scheme].min - 1 }, () =>
    secp256k1.utils.randomSecretKey(),
  ),
): { publicShares: PublicShares; shares: SplitShare[] } {
  const { min, max } = SCHEMES[scheme];
  if (rest.length !== min - 1) throw new Error(`The polynomial has ${min} coefficients.`);
  const coefficients = [key, ...rest].map((one) => Fn.fromBytes(one));
  const points = coefficients.map((one) => Point.BASE.multiply(one));
  const ids = Array.from({ length: max }, (_, at) => at + 1);
  const shares = ids.map((id) => {
    const share = coefficients.reduceRight((sum, one) => Fn.add(Fn.mul(sum, BigInt(id)), one), Fn.ZERO);
    // One polynomial in 2^256 has a zero there. Whoever has one begins anew.
    if (Fn.is0(share)) throw new Error('A share is zero.');
    return { id, share: toHex(Fn.toBytes(share)) };
  });
  const verifyingShares = ids.map((id) =>
    points.reduceRight((sum, one) => sum.multiplyUnsafe(BigInt(id)).add(one), Point.ZERO).toHex(),
  );
  return { publicShares: { min, max, commitments: points.map((one) => one.toHex()), verifyingShares }, shares };
}

/**
 * The key, 32 bytes, which whoever gets it overwrites. Every share is compared with its commitment first, and the key
 * with the public key, since wrong shares give a key as well.
 *
 * @throws Error naming the participant whose share is not its own
 */
export function joinKey(publicShares: PublicShares, shares: readonly SplitShare[]): Uint8Array {
  const { min, commitments } = publicShares;
  if (new Set(shares.map(({ id }) => id)).size !== shares.length) throw new Error('A share is there twice.');
  if (shares.length < min) throw new Error(`The key takes ${min} shares.`);
  for (const share of shares) assertSplitShare(publicShares, share);
  const used = shares.slice(0, min);
  let sum = Fn.ZERO;
  for (const { id, share } of used) sum = Fn.add(sum, Fn.mul(weightOf(id, used), Fn.fromBytes(fromHex(share))));
  const key = Fn.toBytes(sum);
  if (toHex(secp256k1.getPublicKey(key)) !== commitments[0]) throw new Error('The shares are of another key.');
  return key;
}

/** @throws Error naming the participant */
export function assertSplitShare({ verifyingShares }: PublicShares, { id, share }: SplitShare): void {
  const shown = secp256k1.utils.isValidSecretKey(fromHex(share)) && toHex(secp256k1.getPublicKey(fromHex(share)));
  if (!shown || shown !== verifyingShares[id - 1]) throw new Error(`The share of participant ${id} is not its own.`);
}

/** The Lagrange coefficient of a participant among others, at 0. */
function weightOf(id: number, all: readonly SplitShare[]): bigint {
  let weight = Fn.ONE;
  for (const other of all) {
    if (other.id !== id) weight = Fn.mul(weight, Fn.div(BigInt(other.id), Fn.sub(BigInt(other.id), BigInt(id))));
  }
  return weight;
}

/** With the checksum of EIP-55, of a compressed public key. */
export function evmAddressOf(publicKey: string): `0x${string}` {
  const hash = keccak_256(Point.fromHex(publicKey).toBytes(false).subarray(1));
  const lower = toHex(hash.subarray(12));
  const digits = toHex(keccak_256(new TextEncoder().encode(lower)));
  const checked = [...lower].map((digit, at) => (parseInt(digits[at]!, 16) >= 8 ? digit.toUpperCase() : digit));
  return `0x${checked.join('')}`;
}

/** `r | s | v` over a digest of 32 bytes, by ECDSA with the nonce of RFC 6979 and the lower `s`. */
export function signDigest(digest: Uint8Array, key: Uint8Array): `0x${string}` {
  const signature = secp256k1.Signature.fromBytes(
    secp256k1.sign(digest, key, { prehash: false, format: 'recovered' }),
    'recovered',
  );
  const recovery = signature.recovery! === 0 ? '1b' : '1c';
  return `0x${toHex(signature.toBytes('compact'))}${recovery}`;
}

/** The digest of a message by EIP-191, version 0x45. */
export function messageDigest(message: Uint8Array): Uint8Array {
  const prefix = new TextEncoder().encode(`\u0019Ethereum Signed Message:\n${message.length}`);
  return keccak_256(Uint8Array.from([...prefix, ...message]));
}
