import { describe, expect, it } from '@jest/globals';
import { endIdOf, firstIdOf, parsePeriod } from './event-period.js';

describe('the period of a list of events', () => {
  it('is open where no date is given', () => {
    const period = parsePeriod({});
    expect(period).toEqual({ from: null, until: null });
    expect(firstIdOf(period)).toBe('00000000-0000-0000-0000-000000000000');
    expect(endIdOf(period)).toBeNull();
  });

  it('takes a day whole, in UTC', () => {
    expect(parsePeriod({ startDate: '2026-01-31', endDate: '2026-01-31' })).toEqual({
      from: new Date('2026-01-31T00:00:00.000Z'),
      until: new Date('2026-01-31T23:59:59.999Z'),
    });
  });

  it('takes an instant with its offset', () => {
    expect(parsePeriod({ startDate: '2026-01-31T01:00:00+02:00' }).from).toEqual(new Date('2026-01-30T23:00:00Z'));
  });

  it.each([
    ...['yesterday', '2026-02-30', '2026-13-01', '2026-01-31T12:00:00', '1769860800000', '31.01.2026'],
    ...['2026-02-30T12:00:00Z', '2026-04-31T23:00:00+02:00'],
  ])('cannot begin at %s', (startDate) => {
    expect(() => parsePeriod({ startDate })).toThrow(expect.objectContaining({ code: 'validation_failed' }));
  });

  it('bounds ids a quarter of an hour beyond its ends, for clocks that differ', () => {
    const period = parsePeriod({ startDate: '2026-01-31T12:00:00Z', endDate: '2026-01-31T12:00:00Z' });
    const millis = (id: string): number => parseInt(id.replaceAll('-', '').slice(0, 12), 16);
    expect(millis(firstIdOf(period))).toBe(Date.parse('2026-01-31T11:45:00Z'));
    expect(millis(endIdOf(period) ?? '')).toBe(Date.parse('2026-01-31T12:15:00Z'));
  });
});
