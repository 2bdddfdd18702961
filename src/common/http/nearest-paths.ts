interface KnownPath {
  /** As Express writes it: `/users/:userId`. */
  readonly path: string;
  readonly methods: ReadonlySet<string>;
}

/** As many as a person reads. */
const MOST = 3;
/** Words beyond these are not looked at, so that a long path costs no more than a short one. */
const MAX_WORDS = 12;
/** What it costs to take one word for another, of which leaving one out costs 1. */
const SAME = 0;
const VARIABLE = 0.1;
const ALIKE = 0.4;
const OTHER = 1.2;

/** The known paths that a path was most likely meant to be, `GET /users/{userId}`, the likeliest first. */
export function nearestPaths(asked: string, known: readonly KnownPath[]): string[] {
  const words = wordsOf(asked);
  return known
    .map(({ path, methods }) => ({ path, methods, distance: distanceOf(words, wordsOf(path)) }))
    .sort((a, b) => a.distance - b.distance || (a.path < b.path ? -1 : 1))
    .slice(0, MOST)
    .map(({ path, methods }) => `${shown(methods)} ${path.replaceAll(/:(\w+)/g, '{$1}')}`);
}

const shown = (methods: ReadonlySet<string>): string =>
  [...methods]
    .filter((method) => method !== 'HEAD')
    .sort()
    .join('|');

const wordsOf = (path: string): string[] => path.toLowerCase().split('/').filter(Boolean).slice(0, MAX_WORDS);

/** Edit distance (Wagner and Fischer, 1974) over words. */
function distanceOf(asked: readonly string[], known: readonly string[]): number {
  let row = known.map((_, at) => at + 1);
  asked.forEach((word, above) => {
    let diagonal = above;
    let left = above + 1;
    row = row.map((up, at) => {
      const best = Math.min(left + 1, up + 1, diagonal + substitution(word, known[at]!));
      diagonal = up;
      left = best;
      return best;
    });
  });
  return row.at(-1) ?? asked.length;
}

function substitution(word: string, known: string): number {
  if (known.startsWith(':')) return VARIABLE;
  if (word === known) return SAME;
  return areAlike(word, known) ? ALIKE : OTHER;
}

/** Whether they differ in one place only, and by two letters at most: a typing error, a plural. */
function areAlike(a: string, b: string): boolean {
  const longest = Math.max(a.length, b.length);
  const shortest = Math.min(a.length, b.length);
  if (shortest < 3 || longest - shortest > 2) return false;
  let before = 0;
  while (before < shortest && a[before] === b[before]) before += 1;
  let after = 0;
  while (after < shortest - before && a.at(-1 - after) === b.at(-1 - after)) after += 1;
  return before + after >= longest - 2;
}
