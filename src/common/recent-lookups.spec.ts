import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { RecentLookups } from './recent-lookups.js';

const TTL_MS = 40;

function lookups(find: (key: string) => Promise<{ value: string } | null>) {
  const asked = jest.fn(find);
  return { asked, recent: new RecentLookups<string, { value: string }>({ max: 2, ttlMs: TTL_MS, find: asked }) };
}

describe('recent look-ups', () => {
  let now = 0;

  beforeEach(() => {
    now = 1000;
    jest.spyOn(performance, 'now').mockImplementation(() => now);
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });

  it('share one look-up among the calls for a key, those that arrive while it runs included', async () => {
    const { asked, recent } = lookups(async (key) => ({ value: key }));
    const answers = await Promise.all([recent.get('a'), recent.get('a'), recent.get('b')]);
    expect(answers).toEqual([{ value: 'a' }, { value: 'a' }, { value: 'b' }]);
    await recent.get('a');
    expect(asked.mock.calls).toEqual([['a'], ['b']]);
  });

  it('ask again when the answer is as old as it may be, counted from the question', async () => {
    const { asked, recent } = lookups(async (key) => {
      now += TTL_MS / 2;
      return { value: key };
    });
    await recent.get('a');
    now += TTL_MS / 2 - 1;
    await recent.get('a');
    expect(asked).toHaveBeenCalledTimes(1);
    now += 1;
    await recent.get('a');
    expect(asked).toHaveBeenCalledTimes(2);
  });

  it('remember neither what was not found nor what failed', async () => {
    const { asked, recent } = lookups(async (key) => {
      if (key === 'broken') throw new Error('no connection');
      return null;
    });
    expect(await recent.get('a')).toBeNull();
    expect(await recent.get('a')).toBeNull();
    await expect(recent.get('broken')).rejects.toThrow('no connection');
    await expect(recent.get('broken')).rejects.toThrow('no connection');
    expect(asked).toHaveBeenCalledTimes(4);
  });

  it('keep no more answers than they may', async () => {
    const { asked, recent } = lookups(async (key) => ({ value: key }));
    for (const key of ['a', 'b', 'c', 'a']) await recent.get(key);
    expect(asked.mock.calls.map(([key]) => key)).toEqual(['a', 'b', 'c', 'a']);
  });

  it('can be told an answer and told to forget it', async () => {
    const { asked, recent } = lookups(async (key) => ({ value: key }));
    recent.remember('a', { value: 'told' });
    expect(await recent.get('a')).toEqual({ value: 'told' });
    recent.forget('a');
    expect(await recent.get('a')).toEqual({ value: 'a' });
    expect(asked).toHaveBeenCalledTimes(1);
  });

  it('do not let a failure remove the answer that came after it', async () => {
    let fail: (error: Error) => void = () => undefined;
    const { recent } = lookups(() => new Promise((_, reject) => (fail = reject)));
    const failing = recent.get('a');
    recent.remember('a', { value: 'newer' });
    fail(new Error('late'));
    await expect(failing).rejects.toThrow('late');
    expect(await recent.get('a')).toEqual({ value: 'newer' });
  });
});
