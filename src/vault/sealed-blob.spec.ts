import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { encodeSealedBlob, parseSealedBlob } from './sealed-blob.js';
import { SealedBlobError } from './vault.errors.js';

const PAYLOAD = Buffer.alloc(28, 0xaa);

describe('sealed blob', () => {
  it('is laid out as documented', () => {
    const blob = encodeSealedBlob({ wrappedKey: { keyId: 'k1', bytes: Buffer.of(1, 2, 3) }, payload: PAYLOAD });

    expect(blob.toString('hex')).toBe(`01026b310003010203${'aa'.repeat(28)}`);
  });

  it('parses what it encoded', () => {
    const keyId = fc.string({
      minLength: 1,
      maxLength: 255,
      unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)),
    });
    const bytes = fc.uint8Array({ minLength: 1, maxLength: 400 }).map((value) => Buffer.from(value));
    const payload = fc.uint8Array({ minLength: 28, maxLength: 200 }).map((value) => Buffer.from(value));

    fc.assert(
      fc.property(keyId, bytes, payload, (id, wrapped, sealed) => {
        const blob = { wrappedKey: { keyId: id, bytes: wrapped }, payload: sealed };
        expect(parseSealedBlob(encodeSealedBlob(blob))).toEqual(blob);
      }),
    );
  });

  it('refuses random bytes as malformed and with no other error', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 80 }), (bytes) => {
        // Behind a good version byte, so that the lengths are what is tested.
        const blob = Buffer.concat([Buffer.of(1), bytes]);
        try {
          expect(parseSealedBlob(blob).payload.length).toBeGreaterThanOrEqual(28);
        } catch (error) {
          expect(error).toBeInstanceOf(SealedBlobError);
        }
      }),
      { numRuns: 2000 },
    );
  });

  it.each([
    ['nothing', ''],
    ['a version alone', '01'],
    ['an unknown version', `02026b310003010203${'aa'.repeat(28)}`],
    ['version zero', `00026b310003010203${'aa'.repeat(28)}`],
    ['an empty key id', `01000003010203${'aa'.repeat(28)}`],
    ['a key id of unprintable bytes', `010200310003010203${'aa'.repeat(28)}`],
    ['a key id that ends beyond the blob', '01ff6b31'],
    ['an empty wrapped key', `01026b310000${'aa'.repeat(28)}`],
    ['a wrapped key that ends beyond the blob', `01026b31ffff010203${'aa'.repeat(28)}`],
    ['a payload too short for nonce and tag', `01026b310003010203${'aa'.repeat(27)}`],
  ])('refuses %s', (_, hex) => {
    expect(() => parseSealedBlob(Buffer.from(hex, 'hex'))).toThrow(new SealedBlobError('malformed'));
  });

  it.each([
    ['an empty key id', { keyId: '', bytes: Buffer.of(1) }],
    ['a key id with a space', { keyId: 'a b', bytes: Buffer.of(1) }],
    ['a key id over 255 characters', { keyId: 'k'.repeat(256), bytes: Buffer.of(1) }],
    ['an empty wrapped key', { keyId: 'k', bytes: Buffer.alloc(0) }],
    ['a wrapped key over 65 535 bytes', { keyId: 'k', bytes: Buffer.alloc(65_536) }],
  ])('does not encode %s', (_, wrappedKey) => {
    expect(() => encodeSealedBlob({ wrappedKey, payload: PAYLOAD })).toThrow(RangeError);
  });
});
