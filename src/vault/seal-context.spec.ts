import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { additionalData, type SealContext } from './seal-context.js';

const CONTEXT: SealContext = {
  purpose: 'wallet',
  environmentId: 'env-1',
  userId: 'ü',
  subjectId: 'row-1',
  kind: 'seed',
};

const field = fc.string({ unit: 'binary', minLength: 1, maxLength: 12 });
const contexts = fc.record(
  { purpose: field, environmentId: field, userId: field, subjectId: field, kind: field },
  { requiredKeys: ['purpose', 'environmentId', 'subjectId', 'kind'] },
);

describe('additionalData', () => {
  it('writes each field with a 16-bit length, then the version', () => {
    expect(additionalData(CONTEXT, 1).toString('hex')).toBe(
      [
        '0006' + Buffer.from('wallet').toString('hex'),
        '0005' + Buffer.from('env-1').toString('hex'),
        '0002c3bc',
        '0005' + Buffer.from('row-1').toString('hex'),
        '0004' + Buffer.from('seed').toString('hex'),
        '01',
      ].join(''),
    );
  });

  it('writes an absent user as length zero', () => {
    const { userId: _, ...withoutUser } = CONTEXT;

    expect(additionalData(withoutUser, 1).toString('hex')).toContain(
      `${Buffer.from('env-1').toString('hex')}00000005${Buffer.from('row-1').toString('hex')}`,
    );
  });

  it('never encodes two different contexts alike', () => {
    fc.assert(
      fc.property(contexts, contexts, fc.nat(255), fc.nat(255), (left, right, leftVersion, rightVersion) => {
        const same = leftVersion === rightVersion && JSON.stringify(sorted(left)) === JSON.stringify(sorted(right));
        expect(additionalData(left, leftVersion).equals(additionalData(right, rightVersion))).toBe(same);
      }),
      { numRuns: 2000, examples: [[CONTEXT, { ...CONTEXT }, 1, 1]] },
    );
  });

  it('keeps neighbouring fields apart when text moves from one to the next', () => {
    const moved = { ...CONTEXT, subjectId: 'row-1s', kind: 'eed' };

    expect(additionalData(moved, 1).equals(additionalData(CONTEXT, 1))).toBe(false);
  });

  it.each([
    ['an empty field', { ...CONTEXT, subjectId: '' }],
    ['an empty user instead of an absent one', { ...CONTEXT, userId: '' }],
    ['a lone surrogate', { ...CONTEXT, kind: 'a\ud800' }],
    ['a field over 65 535 bytes', { ...CONTEXT, purpose: 'é'.repeat(32_768) }],
  ])('refuses %s', (_, context) => {
    expect(() => additionalData(context, 1)).toThrow(TypeError);
  });
});

function sorted(context: SealContext): unknown {
  return Object.entries(context).sort(([left], [right]) => (left < right ? -1 : 1));
}
