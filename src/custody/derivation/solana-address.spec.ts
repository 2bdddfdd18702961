import { describe, expect, it } from '@jest/globals';
import { createKeyPairSignerFromPrivateKeyBytes } from '@solana/kit';
import fc from 'fast-check';
import { ed25519PublicKey } from './ed25519-key.js';
import { solanaAddress } from './solana-address.js';

describe('solanaAddress', () => {
  it('writes the system program, 32 zero bytes, as 32 ones', () => {
    expect(solanaAddress(Buffer.alloc(32))).toBe('1'.repeat(32));
  });

  it('agrees with @solana/kit on any private key', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ minLength: 32, maxLength: 32 }), async (privateKey) => {
        const signer = await createKeyPairSignerFromPrivateKeyBytes(privateKey);
        expect(solanaAddress(ed25519PublicKey(privateKey))).toBe(signer.address);
      }),
      { numRuns: 50 },
    );
  });
});
