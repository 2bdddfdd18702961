import { describe, expect, it } from '@jest/globals';
import { additionsBeyond, differences, ONLY_IN_TARGET } from './part-differences.js';

const state = (record: Record<string, unknown>) => new Map(Object.entries(record));
const FROM = state({ z: 1, same: { a: 1, b: 2 }, changed: [1, 2] });
const TO = state({ changed: [2, 1], same: { b: 2, a: 1 }, gone: true });

describe('the differences of two states', () => {
  it('are sorted by key, with the values of both', () => {
    expect(differences(FROM, TO, { prune: true })).toEqual({
      changes: [
        { action: 'change', key: 'changed', before: [2, 1], after: [1, 2] },
        { action: 'remove', key: 'gone', before: true },
        { action: 'add', key: 'z', after: 1 },
      ],
      left: [],
    });
  });

  it('leave alone what the target has of its own', () => {
    const { changes, left } = differences(FROM, TO, { prune: false });
    expect(changes.map(({ key }) => key)).toEqual(['changed', 'z']);
    expect(left).toEqual([{ key: 'gone', reason: ONLY_IN_TARGET }]);
  });

  it('of equal states are none, whatever the order of their keys', () => {
    const turned = new Map([...FROM].reverse());
    expect(differences(FROM, turned, { prune: true })).toEqual({ changes: [], left: [] });
  });
});

describe('additions', () => {
  const plan = differences(FROM, TO, { prune: true });

  it.each([
    ['fit beside what stays', 4, 3, []],
    ['take the room of what is removed', 3, 3, []],
    ['have no room in a target that is full without it', 2, 3, ['z']],
    ['have none in a target that is more than full', 1, 9, ['z']],
    ['always have room where there is no limit', Infinity, 9, []],
  ])('%s', (_, most, size, refused) => {
    expect(additionsBeyond(most, size, plan.changes).map(({ key }) => key)).toEqual(refused);
  });
});
