import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { GENESIS_HASH, verifyChain, type KeptHead } from './hash-chain.js';

interface Entry {
  sequence: number;
  text: string;
  previousHash: Buffer;
  hash: Buffer;
}

const WORDS = { chain: 'book', link: 'page', replaced: 'it was replaced', cutOff: 'it was cut off' };

const hashOf = ({ sequence, text, previousHash }: Omit<Entry, 'hash'>): Buffer =>
  createHash('sha256').update(`${sequence} ${text}`).update(previousHash).digest();

function written(texts: readonly string[]): Entry[] {
  const entries: Entry[] = [];
  for (const [at, text] of texts.entries()) {
    const entry = { sequence: at + 1, text, previousHash: entries.at(-1)?.hash ?? GENESIS_HASH };
    entries.push({ ...entry, hash: hashOf(entry) });
  }
  return entries;
}

const FIVE = written(['a', 'b', 'c', 'd', 'e']);
const kept = ({ sequence, hash }: Entry): KeptHead => ({ sequence, hash: hash.toString('hex').toUpperCase() });
const moved = (entry: Entry, sequence: number): Entry => ({ ...entry, sequence, hash: hashOf({ ...entry, sequence }) });

/** Reads two links at a time. */
const verified = (entries: readonly Entry[], head: Entry | null, heads: readonly KeptHead[] = []) =>
  verifyChain<Entry>(
    {
      linksPerRead: 2,
      walk: async (from, limit) =>
        entries
          .filter(({ sequence }) => from === null || sequence >= from)
          .toSorted((one, other) => one.sequence - other.sequence)
          .slice(0, limit),
      findHead: async () => head,
      hashOf,
      words: WORDS,
    },
    heads,
  );

describe('a hash chain', () => {
  it.each([0, 1, 2, 5])('of %d links is intact as it was written', async (length) => {
    const entries = FIVE.slice(0, length);
    const head = (entries.at(-1)?.hash ?? GENESIS_HASH).toString('hex');
    expect(await verified(entries, entries.at(-1) ?? null, entries.map(kept))).toEqual({ count: length, head });
  });

  const [one, two, three, four, five] = FIVE as [Entry, Entry, Entry, Entry, Entry];
  const others = written(['a', 'b', 'c', 'd', 'x']);

  it.each<[string, Entry[], Entry | null, Entry[], number, string]>([
    ['an altered link', [one, two, { ...three, text: 'x' }, four, five], five, [], 3, 'it is not as it was written'],
    ['a removed link', [one, two, four, five], five, [], 3, 'it is missing'],
    [
      'two links in exchanged places',
      [one, moved(three, 2), moved(two, 3), four, five],
      five,
      [],
      2,
      'it does not follow the page before it',
    ],
    [
      'a duplicate at the end of a batch',
      [one, two, { ...two, text: 'x' }, three, four, five],
      five,
      [],
      2,
      'it is there more than once',
    ],
    ['a link before the first one', [moved(one, 0), ...FIVE], five, [], 0, 'it stands before the first page'],
    ['a link beyond the head', FIVE, four, [], 5, 'it stands behind the head of the book'],
    ['a link far beyond the head', [one, two, moved(five, 9)], two, [], 9, 'it stands behind the head of the book'],
    ['links without their head', FIVE, null, [], 1, 'it stands behind the head of the book'],
    ['an end that is cut off', [one, two], five, [], 3, 'it is missing'],
    ['an end that is cut off with the head moved', [one, two], two, [five], 3, 'it was cut off'],
    ['a rewritten end', others, others[4]!, [five], 5, 'it was replaced'],
    ['a rewritten end whose head was kept as well', others, others[4]!, [five, others[4]!], 5, 'it was replaced'],
    ['a head of another hash', FIVE, others[4]!, [], 5, 'it is not the one that the head of the book names'],
  ])('is broken by %s', async (_what, entries, head, heads, sequence, reason) => {
    expect((await verified(entries, head, heads.map(kept))).broken).toEqual({ sequence, reason });
  });

  it('is read again if it grew between the links and the head', async () => {
    let reads = 0;
    const growing = {
      linksPerRead: 2,
      walk: async (from: number | null, limit: number) => {
        const entries = reads++ === 0 ? [one] : [one, two];
        return entries.filter(({ sequence }) => from === null || sequence >= from).slice(0, limit);
      },
      findHead: async () => two,
      hashOf,
      words: WORDS,
    };
    expect(await verifyChain<Entry>(growing)).toEqual({ count: 2, head: two.hash.toString('hex') });
  });
});
