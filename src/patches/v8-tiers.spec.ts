import { describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { TIER_FLAGS } from './v8-tiers.js';

/** Calls a function of its own, waiting for the compiler in between, and says after how many it was compiled for good. */
const CALLS = `
  import { setFlagsFromString } from 'node:v8';
  import { setTimeout as delay } from 'node:timers/promises';
  for (const flag of JSON.parse(process.argv[1])) setFlagsFromString(flag);
  setFlagsFromString('--allow-natives-syntax');
  const TURBOFAN = 1 << 6;
  const sum = (values) => { let all = 0; for (const value of values) all += value.size; return all; };
  const status = new Function('sum', 'return %GetOptimizationStatus(sum)');
  const values = Array.from({ length: 20 }, (_, size) => ({ size }));
  let calls = 0;
  while (calls < 8000 && !(status(sum) & TURBOFAN)) {
    for (let n = 0; n < 100; n += 1) sum(values);
    calls += 100;
    await delay(25);
  }
  console.log(calls);`;

function callsUntilCompiled(flags: readonly string[]): number {
  const args = ['--input-type=module', '--eval', CALLS, JSON.stringify(flags)];
  return Number(execFileSync(process.execPath, args, { encoding: 'utf8' }));
}

describe('code that is called often', () => {
  it('is compiled for good long before V8 would do it', () => {
    const [early, usual] = [callsUntilCompiled(TIER_FLAGS), callsUntilCompiled([])];
    expect(early).toBeGreaterThan(100);
    expect(early).toBeLessThan(usual / 2);
    expect(usual).toBeLessThan(8000);
  });
});
