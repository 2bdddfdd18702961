import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { SecretBytes } from '../../vault/index.js';
import { readSeed, writeSeed, type KeptAccount } from './kept-seed.js';

const ENTROPY = randomBytes(32);
const SEED = randomBytes(64);
const ACCOUNTS: KeptAccount[] = [
  { chain: 'EVM', index: 0, address: '0x9858EfFD232B4033E47d90003D41EC34EcaEda94', key: randomBytes(32) },
  { chain: 'SOL', index: 4_294_967_295, address: 'HAgk14JpMQLgt6rVgv7cBQFJWFto5Dqxi472uT3DKpqk', key: randomBytes(32) },
];

const secret = (bytes: Uint8Array): SecretBytes => SecretBytes.from(Buffer.from(bytes));
const written = (accounts = ACCOUNTS, entropy = ENTROPY): SecretBytes =>
  writeSeed({ entropy: secret(entropy), seed: secret(SEED), accounts });

describe('a seed as it is sealed', () => {
  it.each([
    ['two accounts', ACCOUNTS, ENTROPY],
    ['none', [], ENTROPY],
    ['the entropy of twelve words', ACCOUNTS, randomBytes(16)],
  ])('is read as it was written, with %s', (_, accounts, entropy) => {
    const kept = readSeed(written(accounts, entropy))!;
    expect(kept.entropy.expose().equals(entropy)).toBe(true);
    expect(kept.seed.expose().equals(SEED)).toBe(true);
    expect(kept.accounts).toEqual(accounts.map((one) => ({ ...one, key: Buffer.from(one.key) })));
  });

  it('says its version first, as it always will', () => {
    expect(written().expose()[0]).toBe(2);
    const layout = writeSeed({ entropy: secret(ENTROPY), seed: secret(SEED), accounts: [ACCOUNTS[0]!] }).expose();
    const account = Buffer.concat([
      Buffer.of(3),
      Buffer.from('EVM'),
      Buffer.alloc(4),
      Buffer.of(42),
      Buffer.from(ACCOUNTS[0]!.address),
      ACCOUNTS[0]!.key,
    ]);
    expect(layout.equals(Buffer.concat([Buffer.of(2, 32), ENTROPY, SEED, Buffer.of(1), account]))).toBe(true);
  });

  it.each([16, 20, 24, 28, 32])('is no such thing where %i bytes of entropy were sealed alone', (length) => {
    expect(readSeed(secret(randomBytes(length)))).toBeNull();
  });

  it('is refused when it is of another version or not whole', () => {
    const bytes = Buffer.from(written().expose());
    const other = Buffer.from(bytes);
    other[0] = 3;
    expect(() => readSeed(secret(other))).toThrow('a version that is not known');
    expect(() => readSeed(secret(bytes.subarray(0, -1)))).toThrow(RangeError);
    expect(() => readSeed(secret(Buffer.concat([bytes, Buffer.of(0)])))).toThrow('not whole');
  });

  it('turns to zeros with what it was read from', () => {
    const opened = written();
    const { entropy, seed, accounts } = readSeed(opened)!;
    opened.wipe();
    for (const bytes of [entropy.expose(), seed.expose(), ...accounts.map(({ key }) => key)]) {
      expect(bytes.every((byte) => byte === 0)).toBe(true);
    }
  });
});
