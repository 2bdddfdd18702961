import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { privateKeyToAddress } from 'viem/accounts';
import { checksumAddress, evmAddress } from './evm-address.js';
import { isScalar } from './secp256k1-scalar.js';
import { secp256k1PublicKey } from './secp256k1-key.js';

describe('checksumAddress', () => {
  // EIP-55, "Test Cases".
  it.each([
    '0x52908400098527886E0F7030069857D2E4169EE7',
    '0x8617E340B3D01FA5F11F306F4090FD50E238070D',
    '0xde709f2102306220921060314715629080e2fb77',
    '0x27b1fdb04752bbc536007a920d24acb045561c26',
    '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
    '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
    '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB',
    '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb',
  ])('writes %s', (address) => {
    expect(checksumAddress(address.slice(2).toLowerCase())).toBe(address);
  });
});

describe('evmAddress', () => {
  it('agrees with viem on any private key', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (bytes) => {
        const privateKey = Buffer.from(bytes);
        fc.pre(isScalar(privateKey));
        expect(evmAddress(secp256k1PublicKey(privateKey))).toBe(privateKeyToAddress(`0x${privateKey.toString('hex')}`));
      }),
      { numRuns: 50 },
    );
  });
});
