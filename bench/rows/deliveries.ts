import type { BareDeliveriesProgram, DeliveriesJob } from '../bare/deliveries-job.js';
import { newId } from '../../src/common/ids.js';
import { expansionOf } from '../../src/database/outbox/event-listeners.js';
import { LISTENING_WEBHOOKS } from '../../src/webhooks/delivery/listening-webhooks.js';
import { monotonicMs } from '../monotonic.js';
import { median, pairedRatio } from '../report/statistics.js';
import type { Row } from '../report/table.js';
import { residentMiB } from '../stack/memory.js';
import { withClient } from '../stack/postgres.js';
import type { Ground } from './operations.js';
import { createWebhook, deleteWebhook, waitFor, type Receiver } from './webhook.js';

interface Scene {
  readonly origin: string;
  readonly ground: Ground;
  readonly databaseUrl: string;
  readonly redisUrl: string;
  readonly receiver: Receiver;
  readonly bare: BareDeliveriesProgram;
  readonly messages: number;
  readonly rounds: number;
  /** The service's process id. */
  readonly pid: number;
}

/** Webhooks that share the messages. Each is limited to a few connections, so a single one would be the bottleneck. */
const WEBHOOKS = 4;
/** The total of these webhooks. */
const CONCURRENCY = 20;
/** An event that the load does not cause. */
const EVENT = 'user.updated';
const DRAIN_MS = 300_000;
/** Warm-up batches before a round, so that workers have opened all connections. */
const BURSTS = 5;
const BURST = 200;

/** Events committed together with their messages, each with the data of a new user's latest event. */
const PLANT_EVENTS = `
  WITH appended AS (
    INSERT INTO events (environment_id, id, name, resource_id, data, dispatched_at)
    SELECT $1, planted.id, $2, pattern.resource_id, pattern.data, now()
    FROM unnest($3::uuid[]) AS planted (id),
      (SELECT resource_id, data FROM events WHERE environment_id = $1 AND name = 'user.created' ORDER BY id DESC LIMIT 1)
        pattern
    RETURNING *
  ), messages AS (${expansionOf(LISTENING_WEBHOOKS, 'appended')})
  SELECT count(*) FROM messages`;

/** Detects completion without reading finished rows, since it is polled during the measurement. */
const UNDONE = 'SELECT FROM webhook_messages WHERE webhook_id = ANY ($1) AND next_attempt_at IS NOT NULL LIMIT 1';

const COUNT = `
  SELECT count(*)::int AS recorded FROM webhook_deliveries d
  JOIN webhook_messages m ON m.environment_id = d.environment_id AND m.id = d.message_id
  WHERE m.environment_id = $1 AND m.webhook_id = ANY ($2) AND d.status = 'delivered'`;

/** Messages for the bare program; none is due, so the service ignores them. */
const PLANT_MESSAGES = `
  INSERT INTO webhook_messages (environment_id, id, webhook_id, event_id, status)
  SELECT $1, m, $2, m, 'delivered' FROM unnest($3::uuid[]) AS m`;

/** From the first request at the receiver until the last delivery is recorded. */
export async function measureDeliveries(scene: Scene): Promise<Row[]> {
  const { origin, ground, receiver } = scene;
  const place = { origin, tenant: ground.tenant, receiver };
  const webhookIds: string[] = [];
  for (let index = 0; index < WEBHOOKS; index += 1) {
    webhookIds.push(await createWebhook(place, { path: `hook-${index}`, events: [EVENT] }));
  }
  const service: number[] = [];
  const bare: number[] = [];
  const sizes: number[] = [];
  for (let round = 0; round < scene.rounds; round += 1) {
    service.push(await serviceRound(scene, webhookIds));
    sizes.push(Math.round(residentMiB(scene.pid)));
    bare.push(await bareRound(scene, webhookIds[0] ?? ''));
  }
  for (const webhookId of webhookIds) await deleteWebhook(origin, ground.tenant, webhookId);
  const note = `${scene.messages} messages to ${WEBHOOKS} webhooks a round; resident after each: ${sizes.join(', ')} MiB`;
  const [perSecond, barePerSecond] = [median(service), median(bare)];
  return [
    { row: 'webhook deliveries', service: perSecond, figure: perSecond, note },
    {
      row: 'deliveries to Bull + POST + row',
      ...{ service: perSecond, bare: barePerSecond, figure: pairedRatio(service, bare) },
    },
  ];
}

async function serviceRound(scene: Scene, webhookIds: readonly string[]): Promise<number> {
  const { ground, databaseUrl, receiver } = scene;
  const { environmentId } = ground.tenant;
  return withClient(databaseUrl, async (client) => {
    const recorded = async (): Promise<number> =>
      (await client.query<{ recorded: number }>(COUNT, [environmentId, webhookIds])).rows[0]?.recorded ?? 0;
    /** @returns the number of messages sent */
    const drain = async (messages: number): Promise<number> => {
      const events = Array.from({ length: Math.ceil(messages / WEBHOOKS) }, newId);
      await client.query(PLANT_EVENTS, [environmentId, EVENT, events]);
      // The next sweep finds them.
      const isDone = async (): Promise<boolean> => (await client.query(UNDONE, [webhookIds])).rowCount === 0;
      await waitFor(isDone, DRAIN_MS, 'all deliveries to be recorded');
      return events.length * WEBHOOKS;
    };
    // The worst case for the planner: statistics that say the tables are nearly empty when many messages arrive.
    await client.query('ANALYZE events, webhook_messages, webhook_deliveries');
    for (let burst = 0; burst < BURSTS; burst += 1) await drain(BURST);
    const before = await recorded();
    await receiver.ask({ ask: 'forget' });
    const expected = await drain(scene.messages);
    const end = monotonicMs();
    const { first, posts } = await receiver.ask({ ask: 'count' });
    const done = (await recorded()) - before;
    if (posts < expected || done < expected) throw new Error(`Of ${expected} ${posts} arrived, ${done} are recorded.`);
    return (expected * 1000) / (end - first);
  });
}

async function bareRound(scene: Scene, webhookId: string): Promise<number> {
  const { databaseUrl, redisUrl, receiver, bare } = scene;
  const { environmentId } = scene.ground.tenant;
  const messages = Array.from({ length: scene.messages }, newId);
  const { data } = await withClient(databaseUrl, async (client) => {
    await client.query(PLANT_MESSAGES, [environmentId, webhookId, messages]);
    const { rows } = await client.query<{ data: object }>(
      'SELECT data FROM events WHERE environment_id = $1 AND name = $2 LIMIT 1',
      [environmentId, EVENT],
    );
    return { data: rows[0]?.data };
  });
  const { port } = await receiver.ask({ ask: 'forget' });
  const [messageId] = messages;
  const job: DeliveriesJob = {
    ...{ databaseUrl, redisUrl, environmentId, messages, concurrency: CONCURRENCY },
    url: `http://127.0.0.1:${port}/bare`,
    body: JSON.stringify({ eventId: messageId, messageId, webhookId, eventName: EVENT, environmentId, data }),
  };
  return (await bare.ask(job)).perSecond;
}
