import { setTimeout as delay } from 'node:timers/promises';
import { atMost, landed } from '../checkers/finding.js';
import { percentile } from '../checkers/percentile.js';
import type { Instance } from '../servers/instance.js';
import type { Receipt, Sink } from '../servers/sink.js';
import type { World } from '../world/world.js';
import type { Fault } from './fault.js';
import { happensWithin } from './when.js';

/** How long a receiver takes to respond, so that kills land meanwhile. */
const ANSWER_MS = { full: 100, smoke: 200 };
const PER_SECOND = { full: 50, smoke: 20 };
/**
 * Webhooks. A worker sends twenty requests of one environment at a time, here 200 per second, and must keep up while
 * the other restarts: this measures lease expiry, not an older backlog.
 */
const HOOKS = 3;
/** A response received this shortly before its sender was killed may not have been recorded. */
const RECORDED_WITHIN_MS = 250;
const TAKEOVER_MS = 20_000;
const BETWEEN_MS = 600;
/** With this many requests in progress, the worker to be killed has some of them. */
const MANY = 6;
const READY_MS = 1000;
/** Closed connections are noticed within this time. */
const NOTICED_MS = 50;

/** Requests that are open, or were answered too recently to be recorded for certain. */
export function underWay({ receipts }: Pick<Sink, 'receipts'>, withinMs: number): Receipt[] {
  const now = performance.now();
  return receipts.filter(({ endedAt }) => endedAt === null || now - endedAt < withinMs);
}

interface Kill {
  /** Requests that were cut off. */
  readonly cut: number;
  /** Those, and requests of this sender answered too recently to be recorded for certain. */
  readonly underWay: number;
}

/** Kills a sending process, whose connections end with it, and counts its requests in progress. */
export async function killSender({ sink }: World, sender: Instance): Promise<Kill> {
  const now = performance.now();
  const recent = underWay(sink, RECORDED_WITHIN_MS);
  await sender.kill();
  await delay(NOTICED_MS);
  const live = sink.liveConnections;
  // Requests begun between the count and the kill were in progress as well.
  const during = sink.receipts.filter(({ at, aborted }) => at >= now && aborted);
  const gone = [...recent, ...during].filter(({ connection }) => !live.has(connection));
  return { cut: gone.filter(({ aborted }) => aborted).length, underWay: gone.length };
}

/** Milliseconds from each cut-off request to the next request for its message. */
export function takeovers(receipts: readonly Receipt[]): number[] {
  const byMessage = Map.groupBy(receipts, ({ messageId }) => messageId);
  return receipts
    .filter(({ aborted }) => aborted)
    .flatMap(({ messageId, at, endedAt }) => {
      const next = byMessage.get(messageId)?.find((later) => later.at > at);
      return next ? [next.at - (endedAt ?? at)] : [];
    });
}

/** Cut-off requests whose message has not been sent since. */
function abandoned(receipts: readonly Receipt[]): number {
  const latest = new Map(receipts.map(({ messageId, at }) => [messageId, at]));
  return receipts.filter(({ aborted, messageId, at }) => aborted && latest.get(messageId) === at).length;
}

export const workerKilled: Fault = {
  id: 'F1',
  title: 'SIGKILL of a worker while it sends',
  criterion: 'lost 0; duplicates at most the requests under way at each kill; takeover p99 at most 20 s',
  stack: { hooks: HOOKS },
  async run(world, size) {
    const kills = size === 'full' ? 20 : 2;
    for (const hook of world.hooks.keys()) world.sink.become(hook, { kind: 'ok', delayMs: ANSWER_MS[size] });
    const loaded = new AbortController();
    const load = world.load.run({ perSecond: PER_SECOND[size], ms: 600_000, until: loaded.signal });
    let hits = 0;
    let allowed = 0;
    let cut = 0;
    for (let tries = 0; hits < kills && tries < (size === 'full' ? 10 : 2) * kills; tries += 1) {
      await delay(BETWEEN_MS * (0.5 + world.random()));
      const worker = world.workers[tries % world.workers.length];
      if (!worker) break;
      await happensWithin(READY_MS, () => world.sink.open >= MANY);
      const kill = await killSender(world, worker);
      allowed += kill.underWay;
      cut += kill.cut;
      if (kill.cut > 0) hits += 1;
      await worker.start();
      // The process that takes over must send before it is killed: otherwise a second lease would have to expire.
      await happensWithin(TAKEOVER_MS, () => abandoned(world.sink.receipts) === 0);
    }
    loaded.abort();
    await load;
    const endedAt = performance.now();
    await world.untilQuiet(75_000);
    const waits = takeovers(world.sink.receipts);
    return {
      figures: { kills: hits, cut, allowed, takeoverP99Ms: Math.round(percentile(waits, 0.99)) },
      findings: [
        landed(hits, kills, 'kills landed while requests were under way'),
        atMost('takeover p99', percentile(waits, 0.99), TAKEOVER_MS, ' ms'),
      ],
      bounds: { duplicates: allowed, perMessage: kills, recovery: { endedAt, drainedMs: 60_000 } },
    };
  },
};
