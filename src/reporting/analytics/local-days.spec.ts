import { describe, expect, it } from '@jest/globals';
import { assertSeries, localDays, recentDays } from './local-days.js';

const days = (start: string, end: string, timeZone?: string) => localDays(['start', 'end'], { start, end, timeZone });

describe('a range of days', () => {
  it('is taken as it is, and an instant is the day it lies in there', () => {
    expect(days('2026-01-01', '2026-01-31')).toEqual({ first: '2026-01-01', last: '2026-01-31', timeZone: 'UTC' });
    const instant = '2026-01-01T20:00:00Z';
    expect(days(instant, instant, 'Asia/Tokyo')).toMatchObject({ first: '2026-01-02', last: '2026-01-02' });
    expect(days(instant, instant, 'America/Los_Angeles')).toMatchObject({ first: '2026-01-01' });
  });

  it.each([
    ['2026-02-30', '2026-03-01', 'UTC'],
    ['2026-02-02', '2026-02-01', 'UTC'],
    ['2026-02-01', '2026-02-02', 'Nowhere/City'],
    ['2026-02-01', '2026-02-02', 'CET'],
    ['2026-02-01', '2026-02-02', 'ist'],
    ['2026-13-01T00:00:00Z', '2026-12-02', 'UTC'],
    ['2026-02-30T12:00:00Z', '2026-12-02', 'UTC'],
    ['1990-01-01', '1999-12-31', 'UTC'],
    ['2100-01-02', '2100-02-01', 'UTC'],
    ['9999-12-31T23:59:59-12:00', '2026-02-01', 'UTC'],
    ['0001-01-01', '0999-06-01T00:00:00Z', 'UTC'],
  ])('from %s to %s in %s is refused', (start, end, zone) => {
    expect(() => days(start, end, zone)).toThrow();
  });

  it.each(['UTC', 'GMT', 'Europe/Zurich', 'EST5EDT', 'Japan', 'Etc/GMT+5'])('may be of %s', (zone) => {
    expect(days('2026-02-01', '2026-02-02', zone)).toMatchObject({ timeZone: zone });
  });

  it('that is not given is the last thirty days', () => {
    const now = new Date('2026-03-15T12:00:00Z');
    expect(recentDays({}, now)).toMatchObject({ first: '2026-02-14', last: '2026-03-15' });
    expect(recentDays({ startDate: '2026-03-01' }, now)).toMatchObject({ first: '2026-03-01', last: '2026-03-15' });
    expect(recentDays({ endDate: '2026-01-30' }, now)).toMatchObject({ first: '2026-01-01', last: '2026-01-30' });
    expect(recentDays({ endDate: '9999-12-31' }, now)).toMatchObject({ first: '2099-12-03', last: '2100-01-01' });
    expect(() => recentDays({ endDate: '0001-01-01' }, now)).toThrow();
  });

  it('costs no more when it is endless, and a series has an end', () => {
    expect(days('0001-01-01', '9999-12-31')).toMatchObject({ first: '2000-01-01', last: '2100-01-01' });
    const instants = days('0001-01-01T00:00:00Z', '9999-12-31T23:59:59-12:00', 'Asia/Tokyo');
    expect(instants).toMatchObject({ first: '2000-01-01', last: '2100-01-01' });
    expect(() => assertSeries(days('2025-01-01', '2026-02-04'), 'end')).not.toThrow();
    expect(() => assertSeries(days('2025-01-01', '2026-02-05'), 'end')).toThrow();
  });
});
