import { domainToUnicode } from 'node:url';
import { getDomain, getDomainWithoutSuffix } from 'tldts';

/** Characters that pass for others in site names; a small subset of UTS #39. */
const CONFUSABLES: Readonly<Record<string, string>> = {
  ...{
    а: 'a',
    е: 'e',
    о: 'o',
    р: 'p',
    с: 'c',
    у: 'y',
    х: 'x',
    і: 'i',
    ѕ: 's',
    ј: 'j',
    ԁ: 'd',
    ɡ: 'g',
    һ: 'h',
    ӏ: 'l',
    к: 'k',
  },
  ...{
    α: 'a',
    ο: 'o',
    ν: 'v',
    ρ: 'p',
    τ: 't',
    ι: 'i',
    κ: 'k',
    υ: 'u',
    χ: 'x',
    η: 'n',
    ω: 'w',
    ѡ: 'w',
    ո: 'n',
    օ: 'o',
    ս: 'u',
  },
  ...{ ı: 'i', ł: 'l', ø: 'o', đ: 'd', ħ: 'h', ſ: 's', ƅ: 'b', ɑ: 'a', ⅼ: 'l', ꞵ: 'b' },
  ...{ '0': 'o', '1': 'l', '3': 'e', '5': 's' },
};

/** What a name looks like: without accents, and with look-alikes replaced by the letters they pass for. */
export function skeletonOf(label: string): string {
  const plain = label.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  return [...plain]
    .map((letter) => CONFUSABLES[letter] ?? letter)
    .join('')
    .replace(/rn/g, 'm')
    .replace(/vv/g, 'w');
}

/** The registrable domain of a host, treating private suffixes (`github.io`) as public ones. */
export const siteOf = (host: string): string | null => getDomain(host, { allowPrivateDomains: true });

const labelOf = (site: string): string =>
  domainToUnicode(getDomainWithoutSuffix(site, { allowPrivateDomains: true }) ?? '');

/** Edit distance (including swaps of neighbours) between two words if at most `most`; otherwise a larger number. */
export function editDistance(a: string, b: string, most: number): number {
  if (Math.abs(a.length - b.length) > most) return most + 1;
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const isSame = a[i - 1] === b[j - 1];
      let cost = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + (isSame ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        cost = Math.min(cost, beforeLast[j - 2]! + 1);
      row.push(cost);
    }
    [beforeLast, last] = [last, row];
    // Costs never decrease from row to row, except by a swap, which looks two rows back.
    if (Math.min(...last) > most && Math.min(...beforeLast) > most) return most + 1;
  }
  return last[b.length]!;
}

/** Short words resemble many others by chance. */
const editsOf = (label: string): number => (label.length < 6 ? 0 : label.length < 10 ? 1 : 2);

/** The characters of a word as a set of 32 bits, several of them sharing one. */
const charactersOf = (word: string): number => {
  let set = 0;
  for (let at = 0; at < word.length; at += 1) set |= 1 << (word.charCodeAt(at) & 31);
  return set;
};

function bitCount(set: number): number {
  let bits = set - ((set >>> 1) & 0x55555555);
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  return (((bits + (bits >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24;
}

/** Known sites, indexed by what their names look like. */
export class KnownSites {
  private readonly bySkeleton = new Map<string, string>();
  private readonly long: { site: string; skeleton: string; characters: number; edits: number }[] = [];

  constructor(sites: Iterable<string>) {
    for (const site of sites) {
      const skeleton = skeletonOf(labelOf(site));
      if (skeleton === '' || this.bySkeleton.has(skeleton)) continue;
      this.bySkeleton.set(skeleton, site);
      const edits = editsOf(skeleton);
      if (edits > 0) this.long.push({ site, skeleton, characters: charactersOf(skeleton), edits });
    }
  }

  /** The known site that this one imitates, or null. */
  imitatedBy(site: string): { site: string; how: 'homograph' | 'edit_distance' } | null {
    const label = labelOf(site);
    const skeleton = skeletonOf(label);
    const same = this.bySkeleton.get(skeleton);
    // The same name under another suffix may well belong to the same owner.
    if (same) return same === site || labelOf(same) === label ? null : { site: same, how: 'homograph' };
    const characters = charactersOf(skeleton);
    const near = this.long.find(
      (each) =>
        // An edit takes at most one character and adds one. Lists are long, and few words are left after this.
        bitCount(characters ^ each.characters) <= 2 * each.edits &&
        editDistance(skeleton, each.skeleton, each.edits) <= each.edits,
    );
    return near ? { site: near.site, how: 'edit_distance' } : null;
  }
}
