import { describe, expect, it } from '@jest/globals';
import type { FullUser } from '../users/full-user.js';
import { mergeConflicts, mergedProfile } from './merge-conflicts.js';

const ADA = 'aaaaaaaa-0000-7000-8000-00000000000a';
const EVE = 'eeeeeeee-0000-7000-8000-00000000000e';
const userOf = (id: string, profile: Partial<FullUser>): FullUser => ({ id, ...profile }) as FullUser;

describe('a conflict of two accounts', () => {
  it('is shown as a text that ends between two characters', () => {
    const long = `${'a'.repeat(254)}😀`;
    const [conflict] = mergeConflicts(userOf(ADA, { alias: long }), userOf(EVE, { alias: 'Eve' }), []);
    expect(conflict!.currentUser).toEqual({ userId: ADA, value: 'a'.repeat(254) });
  });

  it('is answered with the id of a user in either case', () => {
    const [ada, eve] = [userOf(ADA, { alias: 'Ada' }), userOf(EVE, { alias: 'Eve' })];
    const conflicts = mergeConflicts(ada, eve, []);
    for (const [id, kept] of [
      [ADA, {}],
      [EVE, { alias: 'Eve' }],
    ] as const) {
      for (const userId of [id, id.toUpperCase()]) {
        const answer = { userId, fieldKey: 'alias', type: 'standard' } as const;
        expect(mergedProfile(ada, eve, conflicts, [answer])).toEqual(kept);
      }
    }
  });
});
