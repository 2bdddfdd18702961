import type { World } from '../world/world.js';

/** One recorded attempt, with the name of its webhook. */
export interface Attempt {
  readonly hook: string;
  readonly messageId: string;
  readonly attempt: number;
  readonly status: 'delivered' | 'failed';
  readonly answer: number | null;
  readonly error: string | null;
  readonly durationMs: number;
  /** The size of the stored part of the response body. */
  readonly bodyBytes: number;
}

/** Attempts since a time for some webhooks, by the names they were created with. */
export async function attemptsOf(world: World, hooks: readonly string[], since = new Date(0)): Promise<Attempt[]> {
  const nameOf = new Map(hooks.map((hook) => [world.hooks.get(hook) ?? '', hook]));
  const { rows } = await world.withDatabase((client) =>
    client.query<Omit<Attempt, 'hook'> & { webhookId: string }>(
      `SELECT m.webhook_id AS "webhookId", m.id AS "messageId", d.attempt, d.status, (d.response->>'status')::int AS answer,
         d.response->>'error' AS error, (d.response->>'durationMs')::int AS "durationMs",
         coalesce(octet_length(d.response->>'body'), 0)::int AS "bodyBytes"
       FROM webhook_deliveries d JOIN webhook_messages m ON m.environment_id = d.environment_id AND m.id = d.message_id
       WHERE d.environment_id = $1 AND m.webhook_id = ANY ($2) AND d.delivered_at >= $3`,
      [world.ground.tenant.environmentId, [...nameOf.keys()], since],
    ),
  );
  return rows.map(({ webhookId, ...attempt }) => ({ ...attempt, hook: nameOf.get(webhookId) ?? '' }));
}

/** Milliseconds from the commit of events to the arrival of their messages, for requests within a period. */
export async function delaysOf(
  world: World,
  { from, to, hooks }: { from: number; to: number; hooks: readonly string[] },
): Promise<number[]> {
  const wanted = new Set(hooks);
  const receipts = world.sink.receipts.filter(({ at, hook }) => at >= from && at < to && wanted.has(hook));
  const { rows } = await world.withDatabase((client) =>
    client.query<{ id: string; at: Date }>(
      `SELECT m.id, e.created_at AS at FROM webhook_messages m
       JOIN events e ON e.environment_id = m.environment_id AND e.id = m.event_id WHERE m.id = ANY ($1)`,
      [receipts.map(({ messageId }) => messageId)],
    ),
  );
  const committed = new Map(rows.map(({ id, at }) => [id, at.getTime()]));
  return receipts.flatMap(({ messageId, at }) => {
    const begun = committed.get(messageId);
    return begun === undefined ? [] : [performance.timeOrigin + at - begun];
  });
}
