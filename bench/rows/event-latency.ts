import type { LoadJob, LoadResult } from '../load/load-job.js';
import type { RowName } from '../report/goals.js';
import { percentile } from '../report/statistics.js';
import type { Row } from '../report/table.js';
import type { Program } from '../stack/program.js';
import { CONNECTIONS } from './race.js';
import { OPERATIONS, type Ground } from './operations.js';
import { createWebhook, deleteWebhook, waitFor, type Receiver } from './webhook.js';

interface Scene {
  readonly origin: string;
  readonly ground: Ground;
  readonly load: Program<LoadJob, LoadResult>;
  readonly receiver: Receiver;
  readonly roundMs: number;
}

const PACES: readonly { row: RowName; label: string; connections: number; pauseMs?: number; percentile?: number }[] = [
  { row: 'event to receiver, idle', label: 'idle', connections: 1, pauseMs: 50 },
  { row: 'event to receiver, 100 a second', label: 'steady', connections: 10, pauseMs: 92, percentile: 0.99 },
  { row: 'event to receiver, 16 connections', label: 'busy', connections: CONNECTIONS },
];
const DRAIN_MS = 120_000;

/**
 * The time from an event to its receiver: from the event's timestamp, which is the start of the transaction that
 * commits it, to the last byte of the webhook's request. The note counts from the client's request instead, including
 * the wait for a database connection and everything else before the transaction.
 */
export async function measureEventLatency(scene: Scene): Promise<Row[]> {
  const { origin, ground, load, receiver, roundMs } = scene;
  const create = OPERATIONS.find(({ row }) => row === 'create user');
  if (!create) throw new Error('There is no operation that creates a user.');
  const place = { origin, tenant: ground.tenant, receiver };
  const webhookId = await createWebhook(place, { path: 'latency', events: ['user.created'] });
  const rows: Row[] = [];
  for (const { row, label, connections, pauseMs, percentile: share = 0.5 } of PACES) {
    await receiver.ask({ ask: 'forget' });
    const { answers, stamps, perSecond } = await load.ask({
      ...{ origin, connections, pauseMs, durationMs: roundMs, status: create.status, repeat: true, stamps: true },
      ...{ label: `event-${label}`, requests: create.requests(ground, 'service') },
    });
    await waitFor(async () => (await receiver.ask({ ask: 'count' })).posts >= answers, DRAIN_MS, 'all events');
    const { emails } = await receiver.ask({ ask: 'seen' });
    const ages = emails.map(([, , ageMs]) => ageMs);
    const arrivals = new Map(emails.map(([email, arrivedAt]) => [email, arrivedAt]));
    const fromSending = stamps.flatMap(([unique, sentAt]) => {
      const arrivedAt = arrivals.get(`${unique}@bench.example`);
      return arrivedAt === undefined ? [] : [arrivedAt - sentAt];
    });
    const sent = percentile(fromSending, share).toFixed(1);
    const note = `${ages.length} events at ${Math.round(perSecond)} a second; ${sent} ms from the client's request on`;
    rows.push({ row, figure: percentile(ages, share), p50: percentile(ages, 0.5), p99: percentile(ages, 0.99), note });
  }
  await deleteWebhook(origin, ground.tenant, webhookId);
  return rows;
}
