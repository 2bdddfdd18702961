import { describe, expect, it } from '@jest/globals';
import { reconcile } from './concurrent-change.js';

const wanted = (field: string, after: unknown) => ({ field, before: 'now', after });
const NONE = new Set<string>();

describe('a change made of settings that others have changed since', () => {
  it('stands where it meets no other', () => {
    expect(reconcile([wanted('a', 1)], [[{ field: 'b', before: 1 }]], NONE)).toEqual({
      untouched: [],
      conflicting: [],
    });
  });

  it('is in conflict where both changed a field', () => {
    const { conflicting } = reconcile([wanted('a', 3)], [[{ field: 'a', before: 1 }]], NONE);
    expect(conflicting).toEqual(['a']);
  });

  it('leaves alone what was sent back as it had been read', () => {
    const since = [[{ field: 'list', before: [{ x: 1 }] }]];
    expect(reconcile([wanted('list', [{ x: 1 }])], since, NONE)).toEqual({ untouched: ['list'], conflicting: [] });
  });

  it('looks at the first of several changes: that is what had been read', () => {
    const since = [[{ field: 'a', before: 1 }], [{ field: 'a', before: 2 }]];
    expect(reconcile([wanted('a', 1)], since, NONE).untouched).toEqual(['a']);
    expect(reconcile([wanted('a', 2)], since, NONE).conflicting).toEqual(['a']);
  });

  it('is in conflict over a field that was not there before', () => {
    expect(reconcile([wanted('a', 1)], [[{ field: 'a' }]], NONE).conflicting).toEqual(['a']);
  });

  it('is in conflict over every secret, which nobody can have read', () => {
    expect(reconcile([wanted('key', undefined)], [[{ field: 'key' }]], new Set(['key'])).conflicting).toEqual(['key']);
  });
});
