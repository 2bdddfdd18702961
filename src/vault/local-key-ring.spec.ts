import { inspect } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { LocalKeyRing } from './local-key-ring.js';
import type { SealContext } from './seal-context.js';
import { SecretBytes } from './secret-bytes.js';
import { KeyRingError, SealedBlobError } from './vault.errors.js';

const CONTEXT: SealContext = {
  purpose: 'wallet',
  environmentId: 'env',
  userId: 'user',
  subjectId: 'row',
  kind: 'seed',
};

const OLD = Buffer.from('00112233445566778899aabbccddeeff'.repeat(2), 'hex');
const NEW = Buffer.from('ffeeddccbbaa99887766554433221100'.repeat(2), 'hex');

function ring(...keys: [id: string, bytes: Buffer][]): LocalKeyRing {
  return new LocalKeyRing(keys.map(([id, bytes]) => ({ id, bytes: SecretBytes.from(Buffer.from(bytes)) })));
}

describe('LocalKeyRing', () => {
  it('wraps under its first key and unwraps under any', async () => {
    const dataKey = SecretBytes.random(32);
    const wrappedBefore = await ring(['old', OLD]).wrap(dataKey, CONTEXT);
    const rotated = ring(['new', NEW], ['old', OLD]);

    expect(rotated.currentKeyId).toBe('new');
    expect(rotated.keyIds).toEqual(['new', 'old']);
    expect((await rotated.wrap(dataKey, CONTEXT)).keyId).toBe('new');
    expect((await rotated.unwrap(wrappedBefore, CONTEXT)).expose().equals(dataKey.expose())).toBe(true);
  });

  it('rewraps so that the old key can be dropped', async () => {
    const dataKey = SecretBytes.random(32);
    const wrappedBefore = await ring(['old', OLD]).wrap(dataKey, CONTEXT);

    const wrappedAfter = await ring(['new', NEW], ['old', OLD]).rewrap(wrappedBefore, CONTEXT);

    expect(wrappedAfter.keyId).toBe('new');
    expect((await ring(['new', NEW]).unwrap(wrappedAfter, CONTEXT)).expose().equals(dataKey.expose())).toBe(true);
    await expect(ring(['new', NEW]).unwrap(wrappedBefore, CONTEXT)).rejects.toEqual(new SealedBlobError('unknown-key'));
  });

  it('refuses a wrapped key under another id, another context or with other bytes', async () => {
    const vault = ring(['new', NEW], ['old', OLD]);
    const wrapped = await vault.wrap(SecretBytes.random(32), CONTEXT);
    const refused = new SealedBlobError('not-authentic');

    await expect(vault.unwrap({ ...wrapped, keyId: 'old' }, CONTEXT)).rejects.toEqual(refused);
    await expect(vault.unwrap(wrapped, { ...CONTEXT, environmentId: 'other' })).rejects.toEqual(refused);
    await expect(vault.rewrap(wrapped, { ...CONTEXT, subjectId: 'other' })).rejects.toEqual(refused);
    const altered = Buffer.from(wrapped.bytes);
    altered[40] = (altered[40] ?? 0) ^ 1;
    await expect(vault.unwrap({ ...wrapped, bytes: altered }, CONTEXT)).rejects.toEqual(refused);
  });

  it('is healthy', async () => {
    await expect(ring(['only', OLD]).health()).resolves.toBeUndefined();
  });

  it('wipes the keys it was given and shows none of them', () => {
    const given = SecretBytes.from(Buffer.from(OLD));
    const vault = new LocalKeyRing([{ id: 'only', bytes: given }]);

    expect(() => given.expose()).toThrow();
    const shown = inspect(vault, { depth: null, showHidden: true }) + JSON.stringify(vault);
    expect(shown).not.toContain(OLD.toString('hex').slice(0, 12));
    expect(shown).not.toContain('00 11 22');
    expect(shown).not.toContain(OLD.toString('base64').slice(0, 12));
  });

  it.each<[string, [string, Buffer][], RegExp]>([
    ['an empty ring', [], /no key/],
    ['a key of 31 bytes', [['a', OLD.subarray(1)]], /entry 1 is not 32 bytes/],
    ['an empty id', [['', OLD]], /entry 1 needs an id/],
    ['an id with a colon', [['a:b', OLD]], /entry 1 needs an id/],
    ['an id over 32 characters', [['a'.repeat(33), OLD]], /entry 1 needs an id/],
    [
      'a repeated id',
      [
        ['a', OLD],
        ['a', NEW],
      ],
      /entry 2 repeats the id/,
    ],
    [
      'a repeated key',
      [
        ['a', OLD],
        ['b', OLD],
      ],
      /entry 2 repeats the key/,
    ],
  ])('refuses %s', (_, keys, message) => {
    expect(() => ring(...keys)).toThrow(KeyRingError);
    expect(() => ring(...keys)).toThrow(message);
  });
});
