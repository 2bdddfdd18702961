import { atMost, judge, landed, ofTime } from '../checkers/finding.js';
import { percentile } from '../checkers/percentile.js';
import type { Fault } from './fault.js';
import { delaysOf } from './messages.js';
import { unansweredOf } from './unanswered.js';
import { happensWithin } from './when.js';

const HUNG = 'hook1';
const TIMES = 2;
/** Below this, the baseline and even twice its value are machine noise. */
const FLOOR_MS = 250;
const DEADLINE_MS = 15_000;
const TOLERANCE_MS = 1000;
/** A request still open by then is considered endless. */
const ENDED_MS = 60_000;
const PER_SECOND = 50;

export const endpointHangs: Fault = {
  id: 'F13',
  title: 'One of ten endpoints hangs',
  criterion: `the other nine: p99 of delivery at most ${TIMES} × that of the same run before, or ${FLOOR_MS} ms; a hung attempt ends after 15 s ± 1`,
  async run(world, size) {
    const ms = size === 'full' ? 20_000 : 4000;
    const others = [...world.hooks.keys()].filter((hook) => hook !== HUNG);
    const measure = async (): Promise<number[]> => {
      const from = performance.now();
      await world.load.run({ perSecond: PER_SECOND, ms });
      return delaysOf(world, { from, to: performance.now(), hooks: others });
    };
    // The baseline excludes first-time compilation and connections.
    await world.load.run({ perSecond: PER_SECOND, ms: 1500 });
    const before = await measure();
    world.sink.become(HUNG, { kind: 'hang' });
    const hungFrom = performance.now();
    const during = await measure();
    const hung = () => world.sink.receipts.filter(({ hook, at }) => hook === HUNG && at >= hungFrom);
    const opened = hung();
    // Further requests succeed, so that only the hanging ones are left to end.
    world.sink.become(HUNG, { kind: 'ok' });
    await happensWithin(ENDED_MS, () => opened.every(({ endedAt }) => endedAt !== null));
    const lasted = opened.map(({ at, endedAt }) => (endedAt ?? Infinity) - at);
    const endless = lasted.filter((one) => one === Infinity);
    const wrong = lasted.filter((one) => Math.abs(one - DEADLINE_MS) > TOLERANCE_MS);
    const baseline = percentile(before, 0.99);
    const p99 = percentile(during, 0.99);
    return {
      figures: {
        ...{
          deliveriesBefore: before.length,
          baselineP50Ms: round(percentile(before, 0.5)),
          baselineP99Ms: round(baseline),
        },
        ...{ deliveriesDuring: during.length, duringP50Ms: round(percentile(during, 0.5)), duringP99Ms: round(p99) },
        ...{ hungAttempts: opened.length, hungMs: `${round(Math.min(...lasted))}–${round(Math.max(...lasted))}` },
      },
      findings: [
        landed(opened.length, 1, 'attempts that hung while the others were delivered'),
        landed(during.length, (PER_SECOND * ms) / 1000, 'deliveries to the other nine meanwhile'),
        atMost('p99 of the others', p99, Math.max(TIMES * baseline, FLOOR_MS), ' ms'),
        unansweredOf(world),
        judge(
          'hung attempts end',
          `${lasted.length} attempts`,
          endless.map(() => 'one did not end'),
        ),
        ofTime(
          judge(
            'hung attempts end after 15 s ± 1',
            `${lasted.length} attempts`,
            wrong.map((one) => `one lasted ${round(one)} ms`),
          ),
        ),
      ],
      bounds: { waiting: new Set([HUNG]) },
    };
  },
};

const round = Math.round;
