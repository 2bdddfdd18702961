import { describe, expect, it } from '@jest/globals';
import { Ed25519Keypair } from '@mysten/sui/keypairs/ed25519';
import fc from 'fast-check';
import { ed25519PublicKey } from './ed25519-key.js';
import { suiAddress } from './sui-address.js';

describe('suiAddress', () => {
  it('agrees with @mysten/sui on any private key', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (privateKey) => {
        expect(suiAddress(ed25519PublicKey(privateKey))).toBe(Ed25519Keypair.fromSecretKey(privateKey).toSuiAddress());
      }),
      { numRuns: 50 },
    );
  });
});
