/** The previous hash of the first link. */
export const GENESIS_HASH = Buffer.alloc(32);

interface Place {
  readonly sequence: number;
  readonly hash: Buffer;
}

interface Link extends Place {
  readonly previousHash: Buffer;
}

/** A head recorded earlier and kept elsewhere, for instance in the log. */
export interface KeptHead {
  readonly sequence: number;
  /** Hexadecimal. */
  readonly hash: string;
}

/** A chain in which each link has the hash of the one before it, and its stored head. */
export interface HashChain<L extends Link> {
  readonly linksPerRead: number;
  /** At most `limit` links in order of their numbers, beginning with the number `from`, or with the lowest if null. */
  readonly walk: (from: number | null, limit: number) => Promise<readonly L[]>;
  readonly findHead: () => Promise<Place | null>;
  /** What the hash of a link must be. */
  readonly hashOf: (link: L) => Buffer;
  /** What reasons call the chain and its links, and say about kept heads. */
  readonly words: { readonly chain: string; readonly link: string; readonly replaced: string; readonly cutOff: string };
}

export interface BrokenLink {
  readonly sequence: number;
  readonly reason: string;
}

export interface VerifiedChain {
  /** The number of intact links before the first broken one. */
  readonly count: number;
  /** The hash of the last intact link, in hexadecimal. */
  readonly head: string;
  /** The first link that is not intact. */
  readonly broken?: BrokenLink;
}

/** All kept hashes by number: someone who rewrites a chain makes the log publish a head of the forgery too. */
type Expected = ReadonlyMap<number, readonly string[]>;

/**
 * Verifies a chain from the first link to the head. To alter, remove, add or move a link, an attacker has to rewrite
 * every later one, and the head; a kept head reveals even that.
 *
 * Such an attacker can also drop table constraints, so this relies on none: it starts below any possible number and
 * detects duplicate ones.
 */
export async function verifyChain<L extends Link>(
  chain: HashChain<L>,
  kept: readonly KeptHead[] = [],
): Promise<VerifiedChain> {
  const expected = bySequence(kept);
  let last: Place = { sequence: 0, hash: GENESIS_HASH };
  const result = (broken?: BrokenLink): VerifiedChain => ({
    count: last.sequence,
    head: last.hash.toString('hex'),
    ...(broken && { broken }),
  });
  let from: number | null = null;
  for (;;) {
    // Starts again at the last link of the previous batch, to catch duplicates of its number.
    const met = from === null ? 0 : 1;
    const batch = await chain.walk(from, chain.linksPerRead + met);
    for (const link of batch.slice(met)) {
      const broken = brokenLink(chain, link, last, expected);
      if (broken) return result((await beyondHead(chain, link, last)) ?? broken);
      last = link;
    }
    if (batch.length > met) {
      from = last.sequence;
      continue;
    }
    // Read after the links: everything committed before it is among them, or missing.
    const head = (await chain.findHead()) ?? { sequence: 0, hash: GENESIS_HASH };
    if (head.sequence > last.sequence && (await chain.walk(from, met + 1)).length > met) continue;
    return result(brokenEnd(chain, head, last, expected));
  }
}

function bySequence(kept: readonly KeptHead[]): Expected {
  const expected = new Map<number, string[]>();
  for (const { sequence, hash } of kept) {
    const hashes = expected.get(sequence) ?? [];
    if (!hashes.includes(hash.toLowerCase())) hashes.push(hash.toLowerCase());
    expected.set(sequence, hashes);
  }
  return expected;
}

/** A link inserted beyond the head does not mean that the ones before it are missing. */
async function beyondHead<L extends Link>(
  { findHead, words }: HashChain<L>,
  { sequence }: L,
  last: Place,
): Promise<BrokenLink | undefined> {
  if (sequence <= last.sequence + 1) return undefined;
  const head = await findHead();
  return head && head.sequence <= last.sequence ? { sequence, reason: beyond(words.chain) } : undefined;
}

const beyond = (chain: string): string => `it stands behind the head of the ${chain}`;

function brokenLink<L extends Link>(
  { hashOf, words }: HashChain<L>,
  link: L,
  last: Place,
  expected: Expected,
): BrokenLink | undefined {
  const sequence = last.sequence + 1;
  if (link.sequence < 1) return { sequence: link.sequence, reason: `it stands before the first ${words.link}` };
  if (link.sequence < sequence) return { sequence: link.sequence, reason: 'it is there more than once' };
  if (link.sequence > sequence) return { sequence, reason: 'it is missing' };
  if (!link.previousHash.equals(last.hash))
    return { sequence, reason: `it does not follow the ${words.link} before it` };
  if (!hashOf(link).equals(link.hash)) return { sequence, reason: 'it is not as it was written' };
  const own = link.hash.toString('hex');
  return expected.get(sequence)?.some((hash) => hash !== own) ? { sequence, reason: words.replaced } : undefined;
}

function brokenEnd<L extends Link>(
  { words }: HashChain<L>,
  head: Place,
  last: Place,
  expected: Expected,
): BrokenLink | undefined {
  const next = last.sequence + 1;
  if (head.sequence > last.sequence) return { sequence: next, reason: 'it is missing' };
  if (head.sequence < last.sequence) return { sequence: head.sequence + 1, reason: beyond(words.chain) };
  if (!head.hash.equals(last.hash)) {
    return { sequence: last.sequence, reason: `it is not the one that the head of the ${words.chain} names` };
  }
  // Whoever cuts off the end can move the head as well, but not a kept one.
  const furthest = Math.max(0, ...expected.keys());
  return furthest > last.sequence ? { sequence: next, reason: words.cutOff } : undefined;
}
