import { setTimeout as delay } from 'node:timers/promises';
import { atMost, judge, landed, ofTime } from '../checkers/finding.js';
import { MemoryWatch } from '../servers/memory.js';
import type { Fault } from './fault.js';
import { attemptsOf } from './messages.js';
import { unansweredOf } from './unanswered.js';
import { happensWithin } from './when.js';

const KINDS = ['drip', 'flood', 'bomb', 'headers'] as const;
/** Responses that are not usable within the limits. */
const ENDLESS: ReadonlySet<string> = new Set(['drip', 'headers']);
const DEADLINE_MS = 15_000;
const SLACK_MS = 1000;
/** A request still open by then is considered endless. */
const ENDED_MS = 60_000;
const MOST_STORED = 64 * 1024;
const MOST_GROWTH_MB = 32;
/** Rounds excluded from the measurement, until memory growth from earlier rounds has settled. */
const WARM_ROUNDS = 2;
const SETTLE_MS = 1000;

export const greedyAnswers: Fault = {
  id: 'F14',
  title: 'Answers of a byte in 100 ms, of 1 GB, of a gzip bomb, of 5 MB of headers',
  criterion: 'ends at the deadline or before; at most 64 KB are kept; a worker grows by at most 32 MB',
  stack: { apis: 1, workers: 1, hooks: 0 },
  async run(world, size) {
    const events = size === 'full' ? 40 : 10;
    for (const kind of KINDS) await world.createWebhook(kind);
    const makeUsers = (count: number) => Promise.all(Array.from({ length: count }, () => world.load.createUser()));
    for (let round = 0; round < WARM_ROUNDS; round += 1) {
      await makeUsers(100);
      await world.untilQuiet(10_000);
    }
    await delay(SETTLE_MS);
    const from = performance.now();
    const since = new Date();
    for (const kind of KINDS) world.sink.become(kind, { kind });
    const watch = new MemoryWatch(world.workers.map(({ pid }) => pid));
    await makeUsers(events);
    const met = () => world.sink.receipts.filter(({ at }) => at >= from);
    // An endpoint that is slow to finish gets few requests at a time.
    const enough = (kind: string): number => (kind === 'drip' ? 1 : events);
    const metOf = (kind: string) => met().filter(({ hook }) => hook === kind).length;
    await happensWithin(5000, () => KINDS.every((kind) => metOf(kind) >= enough(kind)));
    const opened = met();
    // Further requests succeed, so that only these are left to end.
    for (const kind of KINDS) world.sink.become(kind, { kind: 'ok' });
    await happensWithin(ENDED_MS, () => opened.every(({ endedAt }) => endedAt !== null));
    const grownMb = watch.stop() / 1024 ** 2;
    const lasted = (kind: string): number =>
      Math.max(...opened.filter(({ hook }) => hook === kind).map(({ at, endedAt }) => (endedAt ?? Infinity) - at));
    const longest = Object.fromEntries(KINDS.map((kind) => [`${kind}Ms`, Math.round(lasted(kind))]));
    // The last ones are recorded shortly after they ended.
    await delay(SETTLE_MS);
    const attempts = await attemptsOf(world, KINDS, since);
    const stored = Math.max(...attempts.map(({ bodyBytes }) => bodyBytes));
    const endless = KINDS.filter((kind) => lasted(kind) === Infinity);
    const tooLong = KINDS.filter((kind) => lasted(kind) > DEADLINE_MS + SLACK_MS);
    const counts = KINDS.map((kind) => opened.filter(({ hook }) => hook === kind).length);
    const ids = new Set(opened.map(({ messageId }) => messageId));
    const wrong = attempts.filter(
      ({ hook, messageId, attempt, status }) =>
        ids.has(messageId) && attempt === 1 && status === 'delivered' && ENDLESS.has(hook),
    );
    return {
      figures: { attempts: opened.length, ...longest, storedBytes: stored, grownMb: Math.round(grownMb) },
      findings: [
        landed(Math.min(...counts), 1, 'attempts at each kind of answer'),
        judge(
          'ends',
          `${opened.length} attempts`,
          endless.map((kind) => `${kind} did not end`),
        ),
        ofTime(
          judge(
            'ends at the deadline',
            `${opened.length} attempts`,
            tooLong.map((kind) => `${kind} lasted ${Math.round(lasted(kind))} ms`),
          ),
        ),
        unansweredOf(world),
        atMost('kept of an answer', stored, MOST_STORED, ' bytes'),
        atMost('growth of a worker', grownMb, MOST_GROWTH_MB, ' MB'),
        judge(
          'judged',
          'no answer without an end is a delivery',
          wrong.map(({ hook }) => `${hook} counts as delivered`),
        ),
      ],
      // The sink does not count responses it could not send completely.
      bounds: { waiting: new Set(KINDS) },
    };
  },
};
