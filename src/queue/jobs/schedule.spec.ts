import { describe, expect, it } from '@jest/globals';
import { daily, every } from './schedule.js';

describe('a schedule', () => {
  it('is an interval, or a time of the day', () => {
    expect(every(1_000)).toEqual({ everyMs: 1_000 });
    expect(['00:00', '09:30', '23:59'].map((time) => daily(time))).toEqual([
      { dailyAt: '00:00' },
      { dailyAt: '09:30' },
      { dailyAt: '23:59' },
    ]);
  });

  it.each([0, -1, NaN])('refuses an interval of %d', (interval) => {
    expect(() => every(interval)).toThrow(RangeError);
  });

  it.each(['24:00', '9:30', '09:60', '', '09:30:00', "03:00'"])('refuses the time %j', (time) => {
    expect(() => daily(time)).toThrow(RangeError);
  });
});
