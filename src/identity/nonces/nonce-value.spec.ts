import { describe, expect, it } from '@jest/globals';
import { newNonce, nonceHash } from './nonce-value.js';

describe('a nonce', () => {
  it('is alphanumeric and carries 128 bits', () => {
    for (let count = 0; count < 100; count++) expect(newNonce()).toMatch(/^[0-9a-f]{32}$/);
  });

  it('is never issued twice', () => {
    const issued = new Set(Array.from({ length: 10_000 }, newNonce));
    expect(issued.size).toBe(10_000);
  });

  it('is stored as its SHA-256 (FIPS 180-4, "abc")', () => {
    expect(nonceHash('abc').toString('hex')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  });
});
