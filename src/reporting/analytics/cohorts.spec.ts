import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { addChunk, noCohorts } from './cohorts.js';

const WORDS = 2;
const sets = (people: ReadonlySet<number>): Uint32Array | undefined => {
  if (people.size === 0) return undefined;
  const words = new Uint32Array(WORDS);
  for (const person of people) words[person >> 5]! |= 1 << (person & 31);
  return words;
};
const some = fc.uniqueArray(fc.nat({ max: WORDS * 32 - 1 }), { maxLength: 30 }).map((list) => new Set(list));

describe('cohorts', () => {
  it('counted by bits are those counted one by one', () => {
    const days = fc
      .integer({ min: 1, max: 4 })
      .chain((weeks) => fc.array(some, { minLength: 7 * weeks, maxLength: 7 * weeks }));
    fc.assert(
      fc.property(days, some, (came, before) => {
        const weeks = came.length / 7;
        const sums = noCohorts(weeks);
        addChunk(sums, came.map(sets), sets(before), WORDS);

        const expected = noCohorts(weeks);
        const daysIn = (person: number, week: number): number =>
          came.slice(week * 7, week * 7 + 7).filter((day) => day.has(person)).length;
        for (let person = 0; person < WORDS * 32; person++) {
          let isNew = !before.has(person);
          for (let cohort = 0; cohort < weeks; cohort++) {
            const count = daysIn(person, cohort);
            if (count === 0) continue;
            expected.activeDays[cohort]![count - 1]! += 1;
            for (let week = cohort; week < weeks; week++) {
              if (daysIn(person, week) === 0) continue;
              expected.all[cohort]![week]! += 1;
              if (isNew) expected.fresh[cohort]![week]! += 1;
            }
            isNew = false;
          }
        }
        expect(sums).toEqual(expected);
      }),
      { numRuns: 60 },
    );
  });
});
