import { describe, expect, it } from '@jest/globals';
import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { TOKEN_PREFIX, makeToken, parseToken } from './opaque-token.js';

const { environment, personal } = TOKEN_PREFIX;

/** Made by another program: big-endian base62 and the CRC-32 of gzip. */
const VECTORS = [
  {
    prefix: environment,
    secret: Buffer.alloc(32),
    raw: 'ghe_00000000000000000000000000000000000000000000vrAxC',
    sha256: '92975635056217f1114bf09741deadc8e63bad68626bcd32d060bde9629dc308',
  },
  {
    prefix: personal,
    secret: Buffer.alloc(32, 0xff),
    raw: 'ghp_yhjskwdA6OZ1AL1YmHWZWm8LLG7HjnuCA2j5rOw8Xp147NGat',
    sha256: 'b038ae188a502ff53c1ffba7594fbca8fe0005eb23b630e93baa45ad87798bd8',
  },
  {
    prefix: environment,
    secret: Buffer.from(Array.from({ length: 32 }, (_, at) => at)),
    raw: 'ghe_003aUlTJC7tjlCTQj2uNU3MFagCXG9LRKRcwGkBIDlf0aKNza',
    sha256: '5da36c1fed1fc178f9646f5849f4f0f49ff2cd789dc2a113958c4bf81c72286a',
  },
] as const;

describe('an opaque token', () => {
  it.each(VECTORS)('of known bytes is $raw', ({ prefix, secret, raw, sha256 }) => {
    const token = makeToken(prefix, secret);
    expect(token.raw).toBe(raw);
    expect(token.hash.toString('hex')).toBe(sha256);
    expect(token.checksum).toBe(raw.slice(-6));
    expect(parseToken(prefix, raw)).toEqual(token);
  });

  it('uses the CRC-32 whose check value is CBF43926', () => {
    expect(crc32('123456789')).toBe(0xcbf43926);
  });

  it('holds 32 random bytes: no two are alike', () => {
    const made = new Set(Array.from({ length: 1_000 }, () => makeToken(environment).raw));
    expect(made.size).toBe(1_000);
    for (const raw of made) expect(raw).toMatch(/^ghe_[0-9A-Za-z]{49}$/);
  });

  it('is refused with any one character changed, before anything is looked up', () => {
    const { raw } = makeToken(environment);
    const characters = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_-. ';
    let accepted = 0;
    for (let at = 0; at < raw.length; at++) {
      for (const character of characters) {
        if (raw[at] === character) continue;
        if (parseToken(environment, raw.slice(0, at) + character + raw.slice(at + 1))) accepted++;
      }
    }
    expect(accepted).toBe(0);
  });

  it('is refused with two neighbours swapped', () => {
    const { raw } = makeToken(personal);
    for (let at = 4; at + 1 < raw.length; at++) {
      if (raw[at] === raw[at + 1]) continue;
      const swapped = raw.slice(0, at) + raw[at + 1]! + raw[at]! + raw.slice(at + 2);
      expect(parseToken(personal, swapped)).toBeNull();
    }
  });

  it.each([
    ['nothing', ''],
    ['the prefix alone', 'ghe_'],
    ['a character too few', makeToken(environment).raw.slice(0, -1)],
    ['a character too many', `${makeToken(environment).raw}0`],
    ['a line feed at the end', `${makeToken(environment).raw}\n`],
    ['a token of another kind', makeToken(personal).raw],
    ['a JWT', 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln'],
  ])('is not %s', (_, text) => {
    expect(parseToken(environment, text)).toBeNull();
  });

  it('differs by kind even for the same bytes, checksum and hash included', () => {
    const secret = Buffer.alloc(32, 7);
    const ours = makeToken(environment, secret);
    const theirs = makeToken(personal, secret);
    expect(ours.checksum).not.toBe(theirs.checksum);
    expect(ours.hash).not.toEqual(theirs.hash);
  });

  it('is kept as the SHA-256 of its whole text', () => {
    const { raw, hash } = makeToken(environment);
    expect(hash).toEqual(createHash('sha256').update(raw, 'ascii').digest());
  });

  it('needs exactly 32 bytes', () => {
    expect(() => makeToken(environment, Buffer.alloc(31))).toThrow(TypeError);
    expect(() => makeToken(environment, Buffer.alloc(33))).toThrow(TypeError);
  });
});
