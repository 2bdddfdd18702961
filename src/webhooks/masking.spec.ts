import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { MASK, MAX_STORED_BODY_BYTES, clipBody, maskHeaders } from './masking.js';

describe('stored header fields', () => {
  it('hide credentials whatever the case of their names, and keep the rest', () => {
    const stored = maskHeaders(
      {
        Authorization: 'Bearer canary-1',
        'PROXY-AUTHORIZATION': 'Basic canary-2',
        cookie: 'sid=canary-3',
        'Set-Cookie': ['a=canary-4', 'b=canary-5'],
        'X-Api-Key': 'canary-6',
        'Content-Type': 'application/json',
        vary: ['accept', 'origin'],
        absent: undefined,
      },
      ['x-API-key'],
    );
    expect(stored).toEqual({
      authorization: MASK,
      'proxy-authorization': MASK,
      cookie: MASK,
      'set-cookie': MASK,
      'x-api-key': MASK,
      'content-type': 'application/json',
      vary: 'accept, origin',
    });
    expect(JSON.stringify(stored)).not.toContain('canary');
  });

  it('show a header as it is when nobody named it secret', () => {
    expect(maskHeaders({ 'x-api-key': 'shown' })).toEqual({ 'x-api-key': 'shown' });
  });

  it('can be stored as jsonb: no NUL, no lone surrogate, no prototype', () => {
    const stored = maskHeaders(
      JSON.parse('{"x-a":"a\\u0000b","x-b":"\\ud800","__proto__":"own"}') as Record<string, string>,
    );
    expect(Object.entries(stored)).toEqual([
      ['x-a', 'ab'],
      ['x-b', '\uFFFD'],
      ['__proto__', 'own'],
    ]);
  });
});

describe('a stored body', () => {
  it.each([
    ['', ''],
    ['plain', 'plain'],
    ['Zoë 🔑', 'Zoë 🔑'],
    ['a\0b\0', 'ab'],
    ['\uFEFFmarked', '\uFEFFmarked'],
    ['lone \ud83d', 'lone \uFFFD'],
  ])('given as the text %p is kept as %p', (text, expected) => {
    expect(clipBody(text)).toBe(expected);
  });

  it('given as bytes that are not UTF-8 is kept with a mark for each', () => {
    expect(clipBody(Buffer.from([0x61, 0xff, 0x62, 0xc3]))).toBe('a\uFFFDb\uFFFD');
    expect(clipBody(Buffer.from([0xed, 0xa0, 0x80]))).toBe('\uFFFD\uFFFD\uFFFD');
  });

  it('is cut at 20 000 bytes, between characters', () => {
    expect(MAX_STORED_BODY_BYTES).toBe(20_000);
    expect(clipBody('x'.repeat(20_000))).toHaveLength(20_000);
    expect(clipBody('x'.repeat(20_001))).toBe('x'.repeat(20_000));
    expect(clipBody(`${'x'.repeat(19_998)}🔑`)).toBe('x'.repeat(19_998));
    expect(clipBody(`${'x'.repeat(19_996)}🔑`)).toBe(`${'x'.repeat(19_996)}🔑`);
  });

  it('stays within the limit although marks are longer than the bytes they stand for', () => {
    const text = clipBody(Buffer.alloc(30_000, 0xff));
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(20_000);
    expect(text).toBe('\uFFFD'.repeat(6666));
  });

  it('is storable text within its limit for every input', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.integer({ min: 0, max: 100 }), (bytes, limit) => {
        const text = clipBody(Buffer.from(bytes), limit);
        expect(Buffer.byteLength(text)).toBeLessThanOrEqual(limit);
        expect(text.includes('\0')).toBe(false);
        expect(text.isWellFormed()).toBe(true);
      }),
    );
  });
});
