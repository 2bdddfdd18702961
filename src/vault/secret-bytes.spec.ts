import { format, inspect } from 'node:util';
import { serialize } from 'node:v8';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { SecretBytes } from './secret-bytes.js';
import { SecretWipedError } from './vault.errors.js';

/** Every spelling in which the bytes could show up in text. */
function spellings(bytes: Uint8Array): string[] {
  const buffer = Buffer.from(bytes);
  const hex = buffer.toString('hex');
  const spaced = hex.replace(/..(?!$)/g, '$& ');
  return [
    hex,
    spaced,
    buffer.toString('base64'),
    buffer.toString('base64url'),
    [...buffer].join(','),
    buffer.toString('latin1'),
  ];
}

describe('SecretBytes', () => {
  it('shows [secret] and never its bytes, however it is turned into text', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 8, maxLength: 64 }), (bytes) => {
        const secret = SecretBytes.from(Uint8Array.from(bytes));
        const nested = { user: { secret }, list: [secret], map: new Map([['secret', secret]]) };
        const texts = [
          String(secret),
          JSON.stringify({ secret }),
          JSON.stringify(nested),
          inspect(secret),
          inspect(nested, { depth: null, showHidden: true, getters: true }),
          inspect({ ...secret }, { showHidden: true }),
          format('%s %o %O %j', secret, secret, secret, secret),
          Object.entries(secret).join(),
          new Error(`failed with ${String(secret)}`).stack ?? '',
        ];
        for (const text of texts) {
          for (const spelling of spellings(bytes)) expect(text).not.toContain(spelling);
        }
      }),
      { numRuns: 200 },
    );
  });

  it.each([
    ['String', String],
    ['template', (secret: SecretBytes) => `${secret.toString()}`],
    ['inspect', (secret: SecretBytes) => inspect(secret)],
    ['toJSON', (secret: SecretBytes) => secret.toJSON()],
  ])('is [secret] through %s', (_, convert) => {
    expect(convert(SecretBytes.from(Buffer.from('correct horse')))).toBe('[secret]');
  });

  it('is left empty by structured serialisation', () => {
    const written = serialize(SecretBytes.from(Buffer.from('correct horse')));

    expect(written.includes('correct horse')).toBe(false);
  });

  it('exposes the bytes it was made from, without a copy', () => {
    const bytes = Buffer.from('correct horse');
    const secret = SecretBytes.from(bytes);

    expect(secret.expose().toString()).toBe('correct horse');
    secret.wipe();
    expect(bytes.equals(Buffer.alloc(13))).toBe(true);
  });

  it('takes a view of a larger buffer and wipes that view alone', () => {
    const whole = Buffer.from('keep|wipe|keep');
    SecretBytes.from(whole.subarray(5, 9)).wipe();

    expect(whole.toString('latin1')).toBe('keep|\0\0\0\0|keep');
  });

  it('refuses to be read once wiped, so zeros never pass for a key', () => {
    const secret = SecretBytes.random(32);
    secret.wipe();
    secret.wipe();

    expect(() => secret.expose()).toThrow(SecretWipedError);
    expect(secret.byteLength).toBe(32);
  });

  it('draws random bytes of the asked length', () => {
    const drawn = new Set(Array.from({ length: 1000 }, () => SecretBytes.random(16).expose().toString('hex')));

    expect(drawn.size).toBe(1000);
    expect(SecretBytes.random(24).byteLength).toBe(24);
  });
});
