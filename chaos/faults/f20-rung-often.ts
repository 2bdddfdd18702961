import { setTimeout as delay } from 'node:timers/promises';
import Bull from 'bull';
import { judge, landed } from '../checkers/finding.js';
import { DOORBELL } from '../../src/queue/doorbell.processor.js';
import { DELIVER_BELL, DISPATCH_BELL } from '../../src/webhooks/delivery/bells.js';
import { atOnce } from '../load/at-once.js';
import type { World } from '../world/world.js';
import type { Fault } from './fault.js';
import { unansweredOf } from './unanswered.js';
import { happensWithin, underLoad } from './when.js';

/** A few may be taken before the worker is stopped. */
const MOST = 0.9;
const RINGS = 100;
const BACKLOG = 100;
const PREFIX = 'gatehouse';
/** How long a receiver takes to respond, so that a second request for a message would overlap the first. */
const OPEN_MS = 100;
const ANSWERED_MS = 60_000;

/** Sends both kinds of wake-ups as the service does, so often that every worker gets each many times. */
async function ringOften(queue: Bull.Queue): Promise<void> {
  const options = { attempts: 1, removeOnComplete: true, removeOnFail: true };
  await atOnce(RINGS, async () => {
    await queue.add(DISPATCH_BELL, {}, options);
    await queue.add(DELIVER_BELL, {}, options);
  });
}

/** Attempts recorded twice under one number, and messages sent concurrently. */
async function doubles(world: World): Promise<string[]> {
  const { rows } = await world.withDatabase((client) =>
    client.query<{ id: string; count: number }>(
      `SELECT message_id AS id, count(*)::int AS count FROM webhook_deliveries
       GROUP BY message_id, attempt HAVING count(*) > 1`,
    ),
  );
  const twice = rows.map(({ id, count }) => `message ${id} has ${count} rows for one attempt`);
  const byMessage = Map.groupBy(world.sink.receipts, ({ messageId }) => messageId);
  for (const [id, sent] of byMessage) if (sent.length > 1) twice.push(`message ${id} was sent ${sent.length} times`);
  return twice;
}

export const rungOften: Fault = {
  id: 'F20',
  title: 'One bell rung a hundred times, and sweepers that wake at once',
  criterion: 'one row for each attempt, no message is claimed twice at one time',
  stack: { workers: 3 },
  async run(world, size) {
    const rounds = size === 'full' ? 20 : 3;
    for (const hook of world.hooks.keys()) world.sink.become(hook, { kind: 'ok', delayMs: OPEN_MS });
    const queue = new Bull(DOORBELL, world.redis.url(), { prefix: PREFIX });
    world.add({ stop: () => queue.close() });
    let [waiting, heard] = [0, 0];
    for (let round = 0; round < rounds; round += 1) {
      // While stopped, the workers let a backlog grow; resumed, all find it at once, both by wake-up and by sweep.
      for (const worker of world.workers) worker.signal('SIGSTOP');
      await atOnce(BACKLOG, () => world.load.createUser());
      await ringOften(queue);
      // Redis also hands jobs to stopped workers, as many as they had requested.
      waiting += (await queue.getWaitingCount()) + (await queue.getActiveCount());
      const before = world.sink.receipts.length;
      for (const worker of world.workers) worker.signal('SIGCONT');
      await ringOften(queue);
      await world.untilQuiet(20_000);
      if (world.sink.receipts.length - before >= BACKLOG) heard += 1;
    }
    await underLoad(world, 50, async () => {
      for (let ring = 0; ring < 5; ring += 1) {
        await ringOften(queue);
        await delay(100);
      }
    });
    await world.untilQuiet(20_000);
    let left = Infinity;
    await happensWithin(ANSWERED_MS, async () => (left = await queue.getWaitingCount()) === 0);
    return {
      figures: { workers: world.workers.length, rounds, jobsThatWaited: waiting, jobsLeft: left },
      findings: [
        landed(waiting, Math.ceil(rounds * 2 * RINGS * MOST), 'jobs that waited for workers to wake'),
        landed(heard, rounds, 'rounds in which the workers found a backlog'),
        judge('attempts', `${world.sink.receipts.length} requests`, await doubles(world)),
        unansweredOf(world),
        judge('jobs', `${left} left`, left > 0 ? ['jobs are never answered'] : []),
      ],
    };
  },
};
