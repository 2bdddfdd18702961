import { describe, expect, it } from '@jest/globals';
import { JobQueue } from '../../queue/index.js';
import { DueRing } from './due-ring.js';

class Rings extends JobQueue {
  readonly delays: number[] = [];
  override handle(): void {}
  override ring(_bell: string, delayMs = 0): void {
    this.delays.push(Math.round(delayMs / 1000));
  }
  override run(): Promise<boolean> {
    return Promise.resolve(true);
  }
  override answer(): Promise<boolean> {
    return Promise.resolve(true);
  }
  override async rest(): Promise<void> {}
  override async close(): Promise<void> {}
  override takesRings(): Promise<boolean> {
    return Promise.resolve(true);
  }
  override figures(): [] {
    return [];
  }
}

describe('the ring for the next retry', () => {
  it('is one, however many messages wait, unless one is due sooner', () => {
    const queue = new Rings();
    const due = new DueRing(queue);
    for (const delayMs of [15_000, 20_000, 15_000, 10_000, 12_000]) due.schedule(delayMs);
    expect(queue.delays).toEqual([15, 10]);
  });

  it('is left to the sweep beyond a minute', () => {
    const queue = new Rings();
    new DueRing(queue).schedule(61_000);
    expect(queue.delays).toEqual([]);
  });
});
