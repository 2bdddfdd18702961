import { describe, expect, it } from '@jest/globals';
import { SingleFlight } from './single-flight.js';

describe('a single flight', () => {
  it('runs once at a time, and once more for rings that came meanwhile', async () => {
    let running = 0;
    let most = 0;
    let runs = 0;
    const flight = new SingleFlight('bell', async () => {
      runs++;
      most = Math.max(most, ++running);
      await new Promise((resolve) => setTimeout(resolve, 5));
      running--;
    });
    await Promise.all(Array.from({ length: 50 }, () => flight.run()));
    expect({ most, runs }).toEqual({ most: 1, runs: 2 });
  });

  it('serves a ring that comes in any later turn after it has ended', async () => {
    let runs = 0;
    const flight = new SingleFlight('bell', () => {
      runs++;
      return Promise.resolve();
    });
    for (let round = 1; round <= 20; round++) {
      void flight.run();
      for (let turn = 0; turn < round; turn++) await Promise.resolve();
      const before = runs;
      await flight.run();
      expect(runs).toBeGreaterThan(before);
    }
  });

  it('survives a handler that fails', async () => {
    let fail = true;
    let runs = 0;
    const flight = new SingleFlight('bell', () => {
      runs++;
      return fail ? Promise.reject(new Error('no')) : Promise.resolve();
    });
    await flight.run();
    fail = false;
    await flight.run();
    expect(runs).toBe(2);
  });
});
