import { createHash, randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { generateMasterKey, parseKeyRing } from './key-ring-text.js';
import { KeyRingError } from './vault.errors.js';

const KEY = Buffer.from('000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f', 'hex');
const FINGERPRINT = createHash('sha256').update(KEY).digest('hex').slice(0, 8);

describe('parseKeyRing', () => {
  it.each([
    ['base64', KEY.toString('base64'), [FINGERPRINT]],
    ['base64 without padding', KEY.toString('base64').replace('=', ''), [FINGERPRINT]],
    ['hexadecimal', KEY.toString('hex'), [FINGERPRINT]],
    ['upper-case hexadecimal and a final newline', `${KEY.toString('hex').toUpperCase()}\n`, [FINGERPRINT]],
    ['an id', `2026-01:${KEY.toString('base64')}`, ['2026-01']],
    ['two entries', `b:${randomBytes(32).toString('base64')},a:${KEY.toString('hex')}`, ['b', 'a']],
    [
      'a line for each entry',
      `b:${randomBytes(32).toString('base64')}\r\na : ${KEY.toString('base64')}\r\n`,
      ['b', 'a'],
    ],
    [
      'a new key before a bare one',
      `b:${randomBytes(32).toString('base64')}, ${KEY.toString('base64')}`,
      ['b', FINGERPRINT],
    ],
  ])('reads %s', (_, text, ids) => {
    expect(parseKeyRing(text).keyIds).toEqual(ids);
    expect(parseKeyRing(text).currentKeyId).toBe(ids[0]);
  });

  it.each([
    ['an empty text', ' \n', /no key was given/],
    ['an empty first entry, left by an unset variable', `,a:${KEY.toString('hex')}`, /entry 1 is empty/],
    ['a 16-byte key', `a:${randomBytes(16).toString('hex')}`, /entry 1 is not 32 bytes/],
    ['a 64-byte key', randomBytes(64).toString('hex'), /entry 1 is not 32 bytes/],
    ['base64 with spare bits set, so mistyped', `${'A'.repeat(42)}B`, /entry 1 is not 32 bytes/],
    ['a second entry that is no key', `${KEY.toString('hex')},secret`, /entry 2 is not 32 bytes/],
    ['a key of zeros', '00'.repeat(32), /entry 1 is not random/],
    ['a typed phrase', Buffer.from('change-me-change-me-change-me-32').toString('base64'), /entry 1 is not random/],
    ['an id with a slash', `a/b:${KEY.toString('hex')}`, /entry 1 needs an id/],
    ['the same key twice', `a:${KEY.toString('hex')},b:${KEY.toString('base64')}`, /entry 2 repeats the key/],
  ])('refuses %s', (_, text, message) => {
    expect(() => parseKeyRing(text)).toThrow(KeyRingError);
    expect(() => parseKeyRing(text)).toThrow(message);
  });

  it('answers any text with a ring or with one line that quotes nothing of it', () => {
    const part = fc.oneof(
      fc.string({ minLength: 12, maxLength: 70 }),
      fc.uint8Array({ minLength: 30, maxLength: 34 }).map((bytes) => Buffer.from(bytes).toString('base64')),
      fc.uint8Array({ minLength: 31, maxLength: 33 }).map((bytes) => `id:${Buffer.from(bytes).toString('hex')}`),
    );
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 3 }), (parts) => {
        const message = failure(() => parseKeyRing(parts.join(',')));
        if (message === null) return;
        expect(message).toMatch(/^Master key ring: [^\n]+\.$/);
        for (const piece of parts
          .join(',')
          .split(/[,:\n]/)
          .filter((text) => text.trim().length >= 10)) {
          expect(message).not.toContain(piece.trim().slice(0, 10));
        }
      }),
      { numRuns: 500 },
    );
  });
});

describe('generateMasterKey', () => {
  it('gives an entry that parses under its own fingerprint', () => {
    const entry = generateMasterKey();
    const [id, key = ''] = entry.split(':');

    expect(parseKeyRing(entry).currentKeyId).toBe(id);
    expect(id).toBe(createHash('sha256').update(Buffer.from(key, 'base64')).digest('hex').slice(0, 8));
    expect(Buffer.from(key, 'base64')).toHaveLength(32);
  });

  it('rotates a ring when put before it', () => {
    const [first, second] = [generateMasterKey(), generateMasterKey()];

    expect(parseKeyRing(`${second},${first}`).keyIds).toEqual([second.slice(0, 8), first.slice(0, 8)]);
  });

  it('never repeats', () => {
    expect(new Set(Array.from({ length: 1000 }, generateMasterKey)).size).toBe(1000);
  });
});

function failure(run: () => unknown): string | null {
  try {
    run();
    return null;
  } catch (error) {
    expect(error).toBeInstanceOf(KeyRingError);
    return error instanceof KeyRingError ? error.message : null;
  }
}
