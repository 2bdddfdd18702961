import { describe, expect, it } from '@jest/globals';
import { Envelope, generateMasterKey, parseKeyRing, SealedBlobError, type SecretBytes } from '../../vault/index.js';
import { deriveAccount } from '../derivation/derive-account.js';
import { entropyToSeed, generateHdEntropy } from '../derivation/hd-seed.js';
import { SeedVault, usingSeed } from './seed-vault.js';

const OWNER = { environmentId: 'env-1', userId: 'user-1', seedId: 'seed-1' };
const addressOf = (seed: SecretBytes): string => deriveAccount(seed, 'EVM', 0).address;

describe('the vault of seeds', () => {
  const ring = parseKeyRing(generateMasterKey());
  const vault = new SeedVault(new Envelope(ring));

  it('opens what it sealed to the same addresses', async () => {
    const entropy = generateHdEntropy();
    const expected = addressOf(await entropyToSeed(entropy));

    const { sealed, masterKeyId } = await vault.seal(entropy, OWNER);

    expect(masterKeyId).toBe(ring.currentKeyId);
    expect(sealed.includes(entropy.expose())).toBe(false);
    expect(await vault.withSeed(sealed, OWNER, addressOf)).toBe(expected);
    expect(await vault.withSeed(sealed, OWNER, addressOf)).toBe(expected);
  });

  it.each([
    ['user', { ...OWNER, userId: 'user-2' }],
    ['row', { ...OWNER, seedId: 'seed-2' }],
    ['environment', { ...OWNER, environmentId: 'env-2' }],
  ])('refuses a blob that was moved to another %s', async (_, other) => {
    const { sealed } = await vault.seal(generateHdEntropy(), OWNER);

    await expect(vault.withSeed(sealed, other, addressOf)).rejects.toThrow(SealedBlobError);
  });

  it('leaves zeros of the seed behind, whether its use succeeds or fails', async () => {
    const { sealed } = await vault.seal(generateHdEntropy(), OWNER);
    const seen: Buffer[] = [];
    const keep = (seed: SecretBytes): number => seen.push(seed.expose());
    const fail = (seed: SecretBytes): never => {
      keep(seed);
      expect(seed.expose().some((byte) => byte !== 0)).toBe(true);
      throw new Error('no such account');
    };

    await vault.withSeed(sealed, OWNER, keep);
    await expect(vault.withSeed(sealed, OWNER, fail)).rejects.toThrow('no such account');
    await usingSeed(generateHdEntropy(), keep);

    expect(seen).toHaveLength(3);
    for (const bytes of seen) expect(bytes.every((byte) => byte === 0)).toBe(true);
  });

  it('rewraps under the current master key once, keeping the addresses', async () => {
    const [older, newer] = [generateMasterKey(), generateMasterKey()];
    const before = new SeedVault(new Envelope(parseKeyRing(older)));
    const after = new SeedVault(new Envelope(parseKeyRing(`${newer},${older}`)));
    const { sealed, masterKeyId } = await before.seal(generateHdEntropy(), OWNER);

    const rewrapped = await after.rewrap(sealed, OWNER);
    if (!rewrapped) throw new Error('nothing was rewrapped');

    expect(masterKeyId).toBe(older.split(':')[0]);
    expect(rewrapped.masterKeyId).toBe(newer.split(':')[0]);
    expect(await after.rewrap(rewrapped.sealed, OWNER)).toBeNull();
    const withoutOld = new SeedVault(new Envelope(parseKeyRing(newer)));
    expect(await withoutOld.withSeed(rewrapped.sealed, OWNER, addressOf)).toBe(
      await before.withSeed(sealed, OWNER, addressOf),
    );
  });
});
