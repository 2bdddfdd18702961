import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { hashMessage } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { isShareOf, publicSharesOf } from '../../../../src/custody/split/split-shares.js';
import { openBackup, sealBackup } from '../backup.js';
import { fromHex, toHex } from '../encoding.js';
import { SCHEMES, type Scheme } from '../key-generation.js';
import { evmAddressOf, joinKey, messageDigest, signDigest, splitKey, type SplitShare } from './split-key.js';

const ALL = Object.keys(SCHEMES) as Scheme[];
const newKey = (): Uint8Array => Uint8Array.from([0x11, ...randomBytes(31)]);

/** Every choice of some of the shares. */
function choices(shares: readonly SplitShare[], count: number): SplitShare[][] {
  if (count === 0) return [[]];
  return shares.flatMap((first, at) => choices(shares.slice(at + 1), count - 1).map((rest) => [first, ...rest]));
}

describe('a key that is split', () => {
  it.each(ALL)('is given by any shares of %s that are enough, and by no fewer', (scheme) => {
    const key = newKey();
    const { publicShares, shares } = splitKey(key, scheme);
    const { min } = SCHEMES[scheme];
    for (const enough of choices(shares, min)) expect(joinKey(publicShares, enough)).toEqual(key);
    for (const few of choices(shares, min - 1)) {
      expect(() => joinKey(publicShares, few)).toThrow(`takes ${min} shares`);
      // A share that is made up in the place of the missing one gives another key, and is found out.
      const used = few.map(({ id }) => id);
      const id = shares.find((one) => !used.includes(one.id))!.id;
      const forged = { id, share: toHex(newKey()) };
      expect(() => joinKey(publicShares, [...few, forged])).toThrow(`participant ${id}`);
    }
  });

  it('names the participant whose share was changed by one bit', () => {
    const { publicShares, shares } = splitKey(newKey(), 'TWO_OF_THREE');
    const [one, two] = shares as [SplitShare, SplitShare, SplitShare];
    const changed = fromHex(two.share);
    changed[31]! ^= 1;
    expect(() => joinKey(publicShares, [one, { id: 2, share: toHex(changed) }])).toThrow('participant 2');
    expect(() => joinKey(publicShares, [one, one])).toThrow('twice');
  });

  it.each(ALL)('is read alike by the service, with %s, which knows each share by its commitment', (scheme) => {
    const { publicShares, shares } = splitKey(newKey(), scheme);
    expect(publicSharesOf(scheme, publicShares.commitments)).toEqual(publicShares);
    for (const { id, share } of shares) {
      expect(isShareOf(publicShares, id, fromHex(share))).toBe(true);
      const other = (id % SCHEMES[scheme].max) + 1;
      expect(isShareOf(publicShares, other, fromHex(share))).toBe(false);
    }
    expect(isShareOf(publicShares, 1, new Uint8Array(32))).toBe(false);
    expect(isShareOf(publicShares, 1, new Uint8Array(32).fill(0xff))).toBe(false);
  });

  it('has the shares that docs/threshold.md says', () => {
    const { publicShares, shares } = splitKey(new Uint8Array(32).fill(7), 'TWO_OF_TWO', [new Uint8Array(32).fill(9)]);
    expect(shares.map(({ share }) => share)).toEqual(['10'.repeat(32), '19'.repeat(32)]);
    expect(evmAddressOf(publicShares.commitments[0]!)).toBe(privateKeyToAccount(`0x${'07'.repeat(32)}`).address);
  });

  it('signs as viem does, byte for byte', async () => {
    const key = newKey();
    const message = 'I agree.';
    const account = privateKeyToAccount(`0x${toHex(key)}`);
    const digest = messageDigest(new TextEncoder().encode(message));
    expect(`0x${toHex(digest)}`).toBe(hashMessage(message));
    expect(signDigest(digest, key)).toBe(await account.signMessage({ message }));
  });

  it('is backed up and comes back, and not as the shares of another address', async () => {
    const { publicShares, shares } = splitKey(newKey(), 'TWO_OF_TWO');
    const walletId = '018f2b7c-0000-7000-8000-000000000001';
    const lock = { secret: randomBytes(32) };
    const set = { walletId, address: evmAddressOf(publicShares.commitments[0]!), publicShares, secrets: [shares[0]!] };
    expect(await openBackup(await sealBackup(set, lock), lock)).toEqual(set);
    const foreign = { ...set, address: privateKeyToAccount(`0x${'07'.repeat(32)}`).address };
    await expect(openBackup(await sealBackup(foreign, lock), lock)).rejects.toThrow('another address');
    const wrong = { ...set, secrets: [{ id: 1, share: shares[1]!.share }] };
    await expect(openBackup(await sealBackup(wrong, lock), lock)).rejects.toThrow('participant 1');
  });
});
