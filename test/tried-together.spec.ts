import { describe, expect, it } from '@jest/globals';
import type { Mutation } from './support/surface/body-mutations.js';
import { apart, triedTogether } from './support/surface/tried-together.js';

const changed = (name: string, ...place: string[]): Mutation => ({
  name,
  text: '',
  expected: 'valid',
  change: { place, value: name },
});

describe('changes of a body that are tried together', () => {
  it('lie apart: at each place one, and none within another', () => {
    const mutations = [
      changed('a1', 'a'),
      changed('b1', 'b'),
      changed('ax1', 'a', 'x'),
      changed('a2', 'a'),
      { name: 'none', text: '', expected: 'valid' as const },
      changed('bx1', 'b', 'x'),
    ];
    expect(apart(mutations).map((group) => group.map(({ name }) => name))).toEqual([
      ['a1', 'b1'],
      ['ax1', 'bx1'],
      ['a2'],
    ]);
  });

  it('leave those that are not taken, to be tried by themselves, and few that are', async () => {
    const all = Array.from({ length: 200 }, (_, at) => at);
    const wrong = [17, 130];
    let tries = 0;
    const left = await triedTogether(all, (some) => {
      tries += 1;
      return Promise.resolve(!some.some((one) => wrong.includes(one)));
    });
    expect(left).toEqual(expect.arrayContaining(wrong));
    expect(left.length).toBeLessThanOrEqual(6);
    expect(tries).toBeLessThan(40);
  });
});
