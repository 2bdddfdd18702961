import { describe, expect, it } from '@jest/globals';
import { parseOptions } from './options.js';

describe('parseOptions', () => {
  it('measures three rounds of three seconds and a million users unless told otherwise', () => {
    expect(parseOptions([])).toMatchObject({ rounds: 3, roundMs: 3000, growthUsers: 1_000_000, assert: false });
  });

  it('is quick, or leaves growth out, on request', () => {
    expect(parseOptions(['--quick'])).toMatchObject({ rounds: 1, roundMs: 1000 });
    expect(parseOptions(['--quick', '--no-growth']).growthUsers).toBe(0);
  });

  it('takes names of rows in any case, commas included', () => {
    expect(parseOptions(['--rows', 'Get user; event to receiver, idle']).rows).toEqual(
      new Set(['get user', 'event to receiver, idle']),
    );
  });

  it('refuses rows and rounds that are none', () => {
    expect(() => parseOptions(['--rows=get users'])).toThrow('seen: get users');
    expect(() => parseOptions(['--rounds=0'])).toThrow('--rounds');
    expect(() => parseOptions(['--unknown'])).toThrow();
  });

  it('takes longer rounds of deliveries, and leaves Redis out', () => {
    expect(parseOptions(['--messages', '100000', '--in-process'])).toMatchObject({
      messages: 100_000,
      inProcess: true,
    });
    expect(parseOptions([])).toMatchObject({ messages: 20_000, inProcess: false });
    expect(() => parseOptions(['--messages', '0'])).toThrow('--messages');
  });
});
