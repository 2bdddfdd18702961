import { setTimeout as delay } from 'node:timers/promises';
import { judge, landed } from '../checkers/finding.js';
import type { Receipt } from '../servers/sink.js';
import type { World } from '../world/world.js';
import type { Fault } from './fault.js';
import { happensWithin, underLoad } from './when.js';

const PAUSED_MS = 60_000;
/** The paused one of two workers may hold nothing at that moment. */
const MOST_TRIES = 8;
/** By then the other worker has taken over whatever the paused one holds. */
const TAKEN_OVER_MS = 100_000;
/** Below the workers' capacity with slow requests: nothing must queue ahead of what the paused worker holds. */
const PER_SECOND = 15;
/** By then the other worker has sent what was created before and after the pause, and no lease has expired. */
const CAUGHT_UP_MS = 3000;
/** How long the other worker's requests stay open: the paused one resumes meanwhile. */
const OPEN_MS = 4000;

/** Claimed messages. Once the other worker is idle, they are the paused worker's. */
async function beingSent(world: World): Promise<string[]> {
  const { rows } = await world.withDatabase((client) =>
    client.query<{ id: string }>(`SELECT id FROM webhook_messages WHERE environment_id = $1 AND status = 'sending'`, [
      world.ground.tenant.environmentId,
    ]),
  );
  return rows.map(({ id }) => id);
}

/** Attempts sent before the pause and recorded although their message had been taken over: there must be none. */
async function zombieRows(world: World, messages: readonly string[], pausedAt: Date): Promise<string[]> {
  const { rows } = await world.withDatabase((client) =>
    client.query<{ message: string }>(
      `SELECT message_id AS message FROM webhook_deliveries
       WHERE environment_id = $1 AND message_id = ANY ($2) AND delivered_at <= $3`,
      [world.ground.tenant.environmentId, messages, pausedAt],
    ),
  );
  return rows.map(({ message }) => `message ${message} was recorded by the sleeper`);
}

export const workerPaused: Fault = {
  id: 'F24',
  title: 'SIGSTOP of a worker past its lease, then SIGCONT',
  criterion: 'what the sleeper finishes is not recorded; transitions without violations; at most one duplicate each',
  async run(world) {
    const [sleeper] = world.workers;
    for (const hook of world.hooks.keys()) world.sink.become(hook, { kind: 'ok', delayMs: 150 });
    let held: string[] = [];
    let pausedAt = new Date();
    for (let tries = 0; held.length === 0 && tries < MOST_TRIES; tries += 1) {
      sleeper?.signal('SIGCONT');
      await underLoad(world, PER_SECOND, async () => {
        await delay(2000);
        await happensWithin(1000, () => world.sink.open > 0);
        pausedAt = new Date();
        sleeper?.signal('SIGSTOP');
        await delay(500);
      });
      await delay(CAUGHT_UP_MS);
      held = await beingSent(world);
    }
    const heldIds = new Set(held);
    const from = performance.now();
    for (const hook of world.hooks.keys()) world.sink.become(hook, { kind: 'ok', delayMs: OPEN_MS });
    const again = (): Receipt[] =>
      world.sink.receipts.filter(({ messageId, at }) => at > from && heldIds.has(messageId));
    await happensWithin(TAKEN_OVER_MS, () => again().length > 0);
    const takenOverMs = performance.now() - from;
    await delay(200);
    const takenOver = [...new Set(again().map(({ messageId }) => messageId))];
    sleeper?.signal('SIGCONT');
    const endedAt = performance.now();
    await world.untilQuiet(75_000);
    return {
      figures: { held: heldIds.size, takenOver: takenOver.length, takenOverMs: Math.round(takenOverMs) },
      findings: [
        landed(takenOver.length, 1, 'messages of the sleeper that another worker was sending when it woke'),
        judge('fencing', `${takenOver.length} messages`, await zombieRows(world, takenOver, pausedAt)),
      ],
      // The paused worker may have sent what it holds without being able to record it.
      bounds: {
        ...{ duplicates: heldIds.size, perMessage: 1 },
        recovery: { endedAt, drainedMs: PAUSED_MS + 15_000 },
      },
    };
  },
};
