import { createHash, randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { ed25519PublicKey, ed25519Sign, ed25519Verify } from './ed25519-key.js';
import { secp256k1PublicKey, secp256k1Sign, secp256k1Verify, compressPublicKey } from './secp256k1-key.js';

/** Orders of the groups of secp256k1 (SEC 2, section 2.4.1) and of Ed25519 (RFC 8032, section 5.1), and of its field. */
const N = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
const L = 2n ** 252n + 27742317777372353535851937790883648493n;
const P = 2n ** 255n - 19n;

const big = (bytes: Uint8Array): bigint => BigInt(`0x${Buffer.from(bytes).toString('hex')}`);
const written = (value: bigint): Buffer => Buffer.from(value.toString(16).padStart(64, '0'), 'hex');
const little = (value: bigint): Buffer => written(value).reverse();

/** What refuses by an exception refuses as well. */
const holds = (check: () => boolean): boolean => {
  try {
    return check();
  } catch {
    return false;
  }
};

describe('a signature of ECDSA on secp256k1', () => {
  const key = randomBytes(32).fill(1, 0, 1);
  const digest = createHash('sha256').update('a message').digest();
  const publicKey = secp256k1PublicKey(key);
  const { signature } = secp256k1Sign(digest, key);
  const [r, s] = [big(signature.subarray(0, 32)), big(signature.subarray(32))];
  const verified = (one: Uint8Array, of = publicKey, about = digest): boolean =>
    holds(() => secp256k1Verify(about, of, one));
  const pair = (first: bigint, second: bigint): Buffer => Buffer.concat([written(first), written(second)]);

  it('holds for its key in both forms, with the lower value of s', () => {
    expect([verified(signature), verified(signature, compressPublicKey(publicKey)), s <= N / 2n]).toEqual([
      true,
      true,
      true,
    ]);
  });

  it.each<[string, () => boolean]>([
    ['with the higher value of s', () => verified(pair(r, N - s))],
    ['with r of zero', () => verified(pair(0n, s))],
    ['with s of zero', () => verified(pair(r, 0n))],
    ['of two zeros', () => verified(Buffer.alloc(64))],
    ['with r of the order', () => verified(pair(N, s))],
    ['with s of the order', () => verified(pair(r, N))],
    ['with another r', () => verified(pair(r ^ 1n, s))],
    ['with r and s exchanged', () => verified(pair(s, r))],
    ['without its last byte', () => verified(signature.subarray(0, 63))],
    ['with a byte behind it', () => verified(Buffer.concat([signature, Buffer.of(0)]))],
    ['of another digest', () => verified(signature, publicKey, createHash('sha256').update('another').digest())],
    ['of a digest that is too short', () => verified(signature, publicKey, digest.subarray(0, 31))],
    ['of another key', () => verified(signature, secp256k1PublicKey(Buffer.alloc(32, 2)))],
    [
      'of a point that is not on the curve',
      () => verified(signature, Buffer.concat([Buffer.of(4), Buffer.alloc(64, 1)])),
    ],
    ['of the point at infinity', () => verified(signature, Buffer.of(0))],
    ['of a key that is cut short', () => verified(signature, publicKey.subarray(0, 64))],
  ])('does not hold %s', (_, accepted) => {
    expect(accepted()).toBe(false);
  });
});

describe('a signature of Ed25519', () => {
  const seed = randomBytes(32);
  const message = Buffer.from('a message');
  const publicKey = ed25519PublicKey(seed);
  const signature = ed25519Sign(message, seed);
  const [point, scalar] = [signature.subarray(0, 32), signature.subarray(32)];
  const s = big(Buffer.from(scalar).reverse());
  const verified = (one: Uint8Array, of = publicKey, about = message): boolean =>
    holds(() => ed25519Verify(about, of, one));
  const changed = (one: Buffer, at: number): Buffer => {
    const copy = Buffer.from(one);
    copy[at]! ^= 1;
    return copy;
  };

  it('holds for its key, of an empty message as well', () => {
    expect(verified(signature)).toBe(true);
    expect(ed25519Verify(Buffer.alloc(0), publicKey, ed25519Sign(Buffer.alloc(0), seed))).toBe(true);
  });

  it.each<[string, () => boolean]>([
    // RFC 8032, section 5.1.7: S is below L, or there would be a second signature of each message.
    ['with S and the order of the group added', () => verified(Buffer.concat([point, little(s + L)]))],
    ['with S of the order', () => verified(Buffer.concat([point, little(L)]))],
    ['with S of zero', () => verified(Buffer.concat([point, Buffer.alloc(32)]))],
    ['with all bits of S', () => verified(Buffer.concat([point, Buffer.alloc(32, 0xff)]))],
    ['with the sign of R changed', () => verified(changed(signature, 31))],
    ['with another R', () => verified(changed(signature, 0))],
    ['with R of zero', () => verified(Buffer.concat([Buffer.alloc(32), scalar]))],
    ['with R that is not below the modulus', () => verified(Buffer.concat([little(P), scalar]))],
    ['of zeros', () => verified(Buffer.alloc(64))],
    ['without its last byte', () => verified(signature.subarray(0, 63))],
    ['with a byte behind it', () => verified(Buffer.concat([signature, Buffer.of(0)]))],
    ['that is empty', () => verified(Buffer.alloc(0))],
    ['of another message', () => verified(signature, publicKey, Buffer.from('another'))],
    ['of another key', () => verified(signature, ed25519PublicKey(randomBytes(32)))],
    ['of a key that is cut short', () => verified(signature, publicKey.subarray(0, 31))],
  ])('does not hold %s', (_, accepted) => {
    expect(accepted()).toBe(false);
  });
});
