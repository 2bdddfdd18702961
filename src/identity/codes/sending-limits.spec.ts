import { describe, expect, it } from '@jest/globals';
import { sendingLimits } from './sending-limits.js';

describe('limits of sending', () => {
  it('are a code in 30 s, five in an hour and ten in a day of one network, and twenty in half an hour of all strangers', () => {
    expect(sendingLimits(1)).toEqual({ cooldownSeconds: 30, perHour: 5, perDay: 10, perWindow: 20 });
  });

  it('scale together, and never reach zero', () => {
    expect(sendingLimits(1000)).toEqual({ cooldownSeconds: 0.03, perHour: 5000, perDay: 10_000, perWindow: 20_000 });
    expect(sendingLimits(0.01)).toEqual({ cooldownSeconds: 3000, perHour: 1, perDay: 1, perWindow: 1 });
  });
});
