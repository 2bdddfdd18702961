interface KnownPath {
  /** In Express syntax: `/users/:userId`. */
  readonly path: string;
  readonly methods: ReadonlySet<string>;
}

/** The most suggestions. */
const MOST = 3;
/** Further words are ignored, so that a long path costs no more than a short one. */
const MAX_WORDS = 12;
/** Costs of substituting a word; omitting one costs 1. */
const SAME = 0;
const VARIABLE = 0.1;
const ALIKE = 0.4;
const OTHER = 1.2;

interface Ranked extends KnownPath {
  readonly distance: number;
}

/** The known paths most similar to a path, such as `GET /users/{userId}`, best match first. */
export function nearestPaths(asked: string, known: readonly KnownPath[]): string[] {
  const words = wordsOf(asked);
  const nearest: Ranked[] = [];
  for (const { path, methods } of known) {
    const most = nearest.length < MOST ? Infinity : nearest.at(-1)!.distance;
    const others = wordsOfKnown(path);
    // Each extra or missing word costs 1, so the length alone rules out most paths.
    if (Math.abs(words.length - others.length) > most) continue;
    const distance = distanceOf(words, others, most);
    if (distance > most) continue;
    nearest.push({ path, methods, distance });
    nearest.sort((a, b) => a.distance - b.distance || (a.path < b.path ? -1 : 1));
    if (nearest.length > MOST) nearest.pop();
  }
  return nearest.map(({ path, methods }) => `${shown(methods)} ${path.replaceAll(/:(\w+)/g, '{$1}')}`);
}

const shown = (methods: ReadonlySet<string>): string =>
  [...methods]
    .filter((method) => method !== 'HEAD')
    .sort()
    .join('|');

const wordsOf = (path: string): string[] => path.toLowerCase().split('/').filter(Boolean).slice(0, MAX_WORDS);

/** A cache of the words of known paths, which are few and never change. */
const knownWords = new Map<string, readonly string[]>();

function wordsOfKnown(path: string): readonly string[] {
  const words = knownWords.get(path) ?? wordsOf(path);
  knownWords.set(path, words);
  return words;
}

/** Edit distance (Wagner and Fischer, 1974) in words, after the common prefix; infinite beyond `most`. */
function distanceOf(asked: readonly string[], known: readonly string[], most: number): number {
  let same = 0;
  while (same < asked.length && asked[same] === known[same]) same += 1;
  const row = Array.from({ length: known.length - same }, (_, at) => at + 1);
  for (let above = 0; above < asked.length - same; above++) {
    let diagonal = above;
    let left = above + 1;
    let least = left;
    for (let at = 0; at < row.length; at++) {
      const up = row[at]!;
      left = Math.min(left + 1, up + 1, diagonal + substitution(asked[same + above]!, known[same + at]!));
      diagonal = up;
      row[at] = left;
      least = Math.min(least, left);
    }
    if (least > most) return Infinity;
  }
  return row.at(-1) ?? asked.length - same;
}

function substitution(word: string, known: string): number {
  if (known[0] === ':') return VARIABLE;
  if (word === known) return SAME;
  return areAlike(word, known) ? ALIKE : OTHER;
}

/** Whether they differ in only one place and by at most two letters: a typo or a plural. */
function areAlike(a: string, b: string): boolean {
  const longest = Math.max(a.length, b.length);
  const shortest = Math.min(a.length, b.length);
  if (shortest < 3 || longest - shortest > 2) return false;
  let before = 0;
  while (before < shortest && a[before] === b[before]) before += 1;
  let after = 0;
  while (after < shortest - before && a[a.length - 1 - after] === b[b.length - 1 - after]) after += 1;
  return before + after >= longest - 2;
}
