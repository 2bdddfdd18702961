/** Days of a week. */
const WEEK = 7;

export interface Cohorts {
  /** For each week, how many users were active on one day, on two, and so on up to seven. */
  activeDays: number[][];
  /** `all[cohort][week]`: how many of the users active in the cohort's week were also active in the other week. */
  all: number[][];
  /** The same for users first active in the cohort's week. */
  fresh: number[][];
}

const square = (weeks: number): number[][] => Array.from({ length: weeks }, () => new Array<number>(weeks).fill(0));

export const noCohorts = (weeks: number): Cohorts => ({
  activeDays: Array.from({ length: weeks }, () => new Array<number>(WEEK).fill(0)),
  all: square(weeks),
  fresh: square(weeks),
});

/** Population count of a 32-bit word. */
function bitCount(word: number): number {
  let bits = word - ((word >>> 1) & 0x55555555);
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  return (((bits + (bits >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24;
}

/**
 * Adds the people of one chunk: consecutive sets for the days of each week, and the set of everybody active before the
 * first. An absent set is empty. Costs a few operations per 32 people and pair of weeks.
 */
export function addChunk(
  sums: Cohorts,
  days: readonly (Uint32Array | undefined)[],
  before: Uint32Array | undefined,
  words: number,
): void {
  const weeks = sums.all.length;
  const active = Array.from({ length: weeks }, (_, week) =>
    weekOf(days.slice(week * WEEK, (week + 1) * WEEK), words, sums.activeDays[week]!),
  );
  const seen = before ? Uint32Array.from(before) : new Uint32Array(words);
  for (let cohort = 0; cohort < weeks; cohort++) {
    const members = active[cohort]!;
    const fresh = members.map((word, at) => word & ~seen[at]!);
    for (let week = cohort; week < weeks; week++) {
      sums.all[cohort]![week]! += inBoth(members, active[week]!);
      sums.fresh[cohort]![week]! += inBoth(fresh, active[week]!);
    }
    for (let at = 0; at < words; at++) seen[at]! |= members[at]!;
  }
}

function inBoth(one: Uint32Array, other: Uint32Array): number {
  let people = 0;
  for (let at = 0; at < one.length; at++) people += bitCount(one[at]! & other[at]!);
  return people;
}

/** The users active in a week; day counts are kept as three binary digits, each of them a set. */
function weekOf(days: readonly (Uint32Array | undefined)[], words: number, activeDays: number[]): Uint32Array {
  const active = new Uint32Array(words);
  const came = days.filter((day) => day !== undefined);
  if (came.length === 0) return active;
  for (let at = 0; at < words; at++) {
    let [ones, twos, fours] = [0, 0, 0];
    for (const day of came) {
      const carry = ones & day[at]!;
      ones ^= day[at]!;
      fours |= twos & carry;
      twos ^= carry;
    }
    active[at] = ones | twos | fours;
    if (active[at] === 0) continue;
    for (let count = 1; count <= WEEK; count++) {
      const has = (count & 1 ? ones : ~ones) & (count & 2 ? twos : ~twos) & (count & 4 ? fours : ~fours);
      activeDays[count - 1]! += bitCount(has & active[at]!);
    }
  }
  return active;
}
