import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import type { Queue } from 'bull';
import { BullQueue } from './bull-queue.js';

describe('rings that Redis refuses', () => {
  afterEach(() => void jest.restoreAllMocks());

  it('are warned of once a minute, not one by one', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
    const add = jest.fn<() => Promise<never>>().mockRejectedValue(new Error('OOM command not allowed'));
    const refusing = { add, on: () => undefined, clients: [], process: () => Promise.resolve(), close: async () => {} };
    const queue = new BullQueue(refusing as unknown as Queue);
    for (let rings = 0; rings < 50; rings++) queue.ring(`bell${rings}`, 1);
    await new Promise(setImmediate);
    await queue.close();
    expect(add).toHaveBeenCalledTimes(50);
    expect(warn.mock.calls).toEqual([
      [expect.stringMatching(/^Redis: wake-ups are lost \(OOM .*the sweep will find the work\.$/)],
    ]);
  });
});
