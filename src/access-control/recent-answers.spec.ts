import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { RecentAnswers } from './recent-answers.js';

const TTL_MS = 40;

describe('recent answers', () => {
  let now = 0;

  beforeEach(() => {
    now = 1000;
    jest.spyOn(performance, 'now').mockImplementation(() => now);
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });

  it('are asked for again when they are as old as they may be, counted from the question', async () => {
    const recent = new RecentAnswers<string, { value: number }>({ max: 2, ttlMs: TTL_MS });
    const find = jest.fn(async () => {
      now += TTL_MS / 2;
      return { value: find.mock.calls.length };
    });
    expect(await recent.get('a', find)).toEqual({ value: 1 });
    now += TTL_MS / 2 - 1;
    expect(await recent.get('a', find)).toEqual({ value: 1 });
    now += 1;
    expect(await recent.get('a', find)).toEqual({ value: 2 });
  });

  it('are asked for again after a change, and are not kept when it came while they were looked up', async () => {
    const recent = new RecentAnswers<string, { value: string }>({ max: 2, ttlMs: TTL_MS });
    await recent.get('a', async () => ({ value: 'first' }));
    recent.forget('a');
    const late = Promise.withResolvers<{ value: string }>();
    const asked = recent.get('a', () => late.promise);
    recent.forget('a');
    late.resolve({ value: 'second' });
    expect(await asked).toEqual({ value: 'second' });
    expect(await recent.get('a', async () => ({ value: 'third' }))).toEqual({ value: 'third' });
  });
});
