import { describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import { join } from 'node:path';

/** Says how many times as long ticks take once everything was collected while there were none; the quickest of five each. */
const TICKS = `
  import { setFlagsFromString } from 'node:v8';
  import { runInNewContext } from 'node:vm';
  import { setTimeout as delay } from 'node:timers/promises';
  import { keepTickDuring } from '${pathToFileURL(join(import.meta.dirname, 'tick-shape.ts')).href}';
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc');
  const CALLS = 200_000;
  const timeOfTicks = () => new Promise((resolve) => {
    const { user } = process.cpuUsage();
    let left = CALLS;
    const tick = () => (left-- > 0 ? process.nextTick(tick) : resolve(process.cpuUsage().user - user));
    process.nextTick(tick);
  });
  const quickest = async () => {
    const times = [];
    for (let time = 0; time < 5; time += 1) times.push(await timeOfTicks());
    return Math.min(...times);
  };
  const before = await quickest();
  await delay(10);
  const all = () => collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
  setTimeout(() => (process.argv[1] === 'kept' ? keepTickDuring(all) : all()), 10);
  await delay(100);
  console.log((await quickest()) / before);`;

function slowdown(how: 'kept' | 'left'): number {
  const args = ['--input-type=module', '--eval', TICKS, how];
  return Number(execFileSync(process.execPath, args, { encoding: 'utf8' }));
}

describe('ticks after everything was collected', () => {
  it('take as long as before where one of them is there meanwhile, and kept', () => {
    expect(slowdown('kept')).toBeLessThan(2);
  });

  it('would take several times as long: once they do not, this patch can go', () => {
    expect(slowdown('left')).toBeGreaterThan(2.5);
  });
});
