import { describe, expect, it } from '@jest/globals';
import { payments } from 'bitcoinjs-lib';
import fc from 'fast-check';
import { bitcoinAddress } from './bitcoin-address.js';
import { compressPublicKey, secp256k1PublicKey } from './secp256k1-key.js';
import { isScalar } from './secp256k1-scalar.js';

describe('bitcoinAddress', () => {
  it('writes the example of BIP-173, "Examples"', () => {
    const publicKey = Buffer.from('0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798', 'hex');

    expect(bitcoinAddress(publicKey)).toBe('bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4');
  });

  it('agrees with bitcoinjs-lib on any private key', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (bytes) => {
        const privateKey = Buffer.from(bytes);
        fc.pre(isScalar(privateKey));
        const pubkey = compressPublicKey(secp256k1PublicKey(privateKey));
        expect(bitcoinAddress(pubkey)).toBe(payments.p2wpkh({ pubkey }).address);
      }),
      { numRuns: 50 },
    );
  });
});
