import { createECDH, randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { compressPublicKey, secp256k1PublicKey } from './secp256k1-key.js';

/** n of SEC 2, section 2.4.1, less one. */
const LARGEST = Buffer.from('fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364140', 'hex');
const ONE = Buffer.concat([Buffer.alloc(31), Buffer.of(1)]);

describe('public keys of secp256k1', () => {
  it('are those of OpenSSL, for random keys and for both ends of the range', () => {
    for (const key of [ONE, LARGEST, ...Array.from({ length: 200 }, () => randomBytes(32))]) {
      const openssl = createECDH('secp256k1');
      openssl.setPrivateKey(key);
      const before = Buffer.from(key);
      expect(secp256k1PublicKey(key)).toEqual(openssl.getPublicKey());
      expect(compressPublicKey(secp256k1PublicKey(key))).toEqual(openssl.getPublicKey(null, 'compressed'));
      expect(key).toEqual(before);
    }
  });

  it.each([
    ['zero', Buffer.alloc(32)],
    ['the order of the group', Buffer.concat([LARGEST.subarray(0, 31), Buffer.of(0x41)])],
    ['31 bytes', randomBytes(31)],
  ])('do not exist for %s', (_, key) => {
    expect(() => secp256k1PublicKey(key)).toThrow();
  });
});
