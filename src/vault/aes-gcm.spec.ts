import { createCipheriv, randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { GCM_OVERHEAD_BYTES, gcmOpen, gcmSeal } from './aes-gcm.js';
import { SealedBlobError } from './vault.errors.js';

const AAD = Buffer.from('context');

describe('AES-256-GCM', () => {
  it('opens test case 16 of the GCM specification (McGrew and Viega, appendix B)', () => {
    const key = Buffer.from('feffe9928665731c6d6a8f9467308308'.repeat(2), 'hex');
    const nonce = 'cafebabefacedbaddecaf888';
    const tag = '76fc6ece0f4e1768cddf8853bb2d551b';
    const ciphertext =
      '522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662';
    const aad = Buffer.from('feedfacedeadbeeffeedfacedeadbeefabaddad2', 'hex');

    const plaintext = gcmOpen(key, Buffer.from(nonce + tag + ciphertext, 'hex'), aad);

    expect(plaintext.toString('hex')).toBe(
      'd9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39',
    );
  });

  it('opens what it sealed, of any length, and adds 28 bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), fc.uint8Array({ maxLength: 40 }), (plaintext, aad) => {
        const key = randomBytes(32);
        const sealed = gcmSeal(key, plaintext, aad);

        expect(sealed.length).toBe(plaintext.length + GCM_OVERHEAD_BYTES);
        expect(gcmOpen(key, sealed, aad).equals(plaintext)).toBe(true);
      }),
    );
  });

  it('uses a new nonce every time', () => {
    const key = randomBytes(32);
    const nonces = new Set(Array.from({ length: 1000 }, () => gcmSeal(key, AAD, AAD).subarray(0, 12).toString('hex')));

    expect(nonces.size).toBe(1000);
  });

  it.each([4, 8, 12, 13, 14, 15])('refuses a genuine tag shortened to %i bytes', (tagBytes) => {
    const key = randomBytes(32);
    const nonce = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes });
    cipher.setAAD(AAD);
    const ciphertext = Buffer.concat([cipher.update(Buffer.from('twenty bytes of text')), cipher.final()]);
    const shortTag = cipher.getAuthTag();

    expect(() => gcmOpen(key, Buffer.concat([nonce, shortTag, ciphertext]), AAD)).toThrow(SealedBlobError);
    const padded = Buffer.concat([nonce, shortTag, Buffer.alloc(16 - tagBytes), ciphertext]);
    expect(() => gcmOpen(key, padded, AAD)).toThrow(SealedBlobError);
  });

  it('refuses every truncation', () => {
    const key = randomBytes(32);
    const sealed = gcmSeal(key, Buffer.from('secret'), AAD);

    for (let length = 0; length < sealed.length; length++) {
      expect(() => gcmOpen(key, sealed.subarray(0, length), AAD)).toThrow(SealedBlobError);
    }
  });

  it('refuses another key and another context', () => {
    const key = randomBytes(32);
    const sealed = gcmSeal(key, Buffer.from('secret'), AAD);

    expect(() => gcmOpen(randomBytes(32), sealed, AAD)).toThrow('not-authentic');
    expect(() => gcmOpen(key, sealed, Buffer.from('Context'))).toThrow('not-authentic');
  });
});
