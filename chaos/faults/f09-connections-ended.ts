import { setTimeout as delay } from 'node:timers/promises';
import { judge, landed } from '../checkers/finding.js';
import type { World } from '../world/world.js';
import type { Fault } from './fault.js';
import { createUntilAnswered, effectsOf } from './keyed.js';
import { underLoad } from './when.js';

const EVERY_MS = 2000;
const TERMINATE = `
  SELECT count(pg_terminate_backend(pid))::int AS ended FROM pg_stat_activity
  WHERE datname = current_database() AND pid <> pg_backend_pid() AND application_name = 'gatehouse'`;

/** Reads one user repeatedly; a failed read is retried once, and then must succeed. */
async function read(
  world: World,
  userId: string,
  until: AbortSignal,
): Promise<{ reads: number; retried: number; failed: string[] }> {
  const found = { reads: 0, retried: 0, failed: [] as string[] };
  while (!until.aborted) {
    found.reads += 1;
    const first = await world.ask('GET', `/users/${userId}`);
    if (first.status !== 200) {
      found.retried += 1;
      const second = await world.ask('GET', `/users/${userId}`);
      if (second.status !== 200) found.failed.push(`a read failed twice: ${second.status ?? second.error}`);
    }
    await delay(10);
  }
  return found;
}

export const connectionsEnded: Fault = {
  id: 'F9',
  title: 'Every connection to PostgreSQL ended every 2 s',
  criterion: 'no 500; at most one retry of a read; no effect twice',
  async run(world, size) {
    const ms = size === 'full' ? 60_000 : 10_000;
    const done = new AbortController();
    const { resultId } = await world.load.createUser();
    const reading = read(world, resultId ?? '', done.signal);
    const keys: string[] = [];
    const keyed: Promise<unknown>[] = [];
    let ended = 0;
    let endedAt = 0;
    await underLoad(world, 50, async () => {
      for (const from = performance.now(); performance.now() - from < ms;) {
        keys.push(`ended-${keys.length}`, `ended-${keys.length + 1}`);
        keyed.push(...keys.slice(-2).map((key) => createUntilAnswered(world, key)));
        const { rows } = await world.withDatabase((client) => client.query<{ ended: number }>(TERMINATE));
        ended += rows[0]?.ended ?? 0;
        await delay(EVERY_MS);
      }
      endedAt = performance.now();
      await delay(EVERY_MS);
    });
    done.abort();
    const { reads, retried, failed } = await reading;
    await Promise.all(keyed);
    const errors = world.ledger.operations
      .filter(({ status }) => status === 500)
      .map(({ kind }) => `${kind} was answered 500`);
    const twice = [...(await effectsOf(world, keys))].filter(([, count]) => count > 1);
    return {
      figures: { ended, reads, retried },
      findings: [
        landed(ended, ms / EVERY_MS, 'connections ended'),
        judge('answers', `${world.ledger.operations.length} requests`, errors),
        judge('reads', `${reads} reads, ${retried} retried`, failed),
        judge(
          'effects',
          `${keys.length} keys`,
          twice.map(([key, count]) => `${key} took effect ${count}×`),
        ),
      ],
      bounds: { recovery: { endedAt, firstSuccessMs: 2000, drainedMs: 75_000 } },
    };
  },
};
