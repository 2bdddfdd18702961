import { setTimeout as delay } from 'node:timers/promises';
import { jsonOf, type Reply } from '../load/client.js';
import type { World } from '../world/world.js';

/** The remaining instances may stall for a while. */
const PATIENCE_MS = 60_000;
const PAUSE_MS = 100;

/** Creates a user; only the idempotency key prevents duplicates. */
export function createKeyed(world: World, key: string, alias = key): Promise<Reply> {
  const { environmentId, token } = world.ground.tenant;
  return world.client.call({
    method: 'POST',
    path: `/api/v0/environments/${environmentId}/users`,
    headers: { authorization: `Bearer ${token}`, 'idempotency-key': key },
    body: { alias, email: `${key}@keyed.example` },
  });
}

/** Behaves like a careful client: retries with the same key until there is a response. */
export const createUntilAnswered = (world: World, key: string): Promise<Reply> =>
  untilAnswered(() => createKeyed(world, key));

/** Retries an idempotent request until there is a response. */
export async function untilAnswered(ask: () => Promise<Reply>): Promise<Reply> {
  const deadline = performance.now() + PATIENCE_MS;
  let reply = await ask();
  while ((reply.status === null || reply.status >= 500) && performance.now() < deadline) {
    await delay(PAUSE_MS);
    reply = await ask();
  }
  return reply;
}

/** How often each key took effect, counted by events of new users. */
export async function effectsOf(world: World, keys: readonly string[]): Promise<Map<string, number>> {
  const { rows } = await world.withDatabase((client) =>
    client.query<{ email: string; count: number }>(
      `SELECT u.email, count(e.id)::int AS count FROM users u
       LEFT JOIN events e ON e.environment_id = u.environment_id AND e.resource_id = u.id AND e.name = 'user.created'
       WHERE u.environment_id = $1 AND u.email = ANY ($2) GROUP BY u.id, u.email`,
      [world.ground.tenant.environmentId, keys.map((key) => `${key}@keyed.example`)],
    ),
  );
  const effects = new Map(keys.map((key) => [key, 0]));
  for (const { email, count } of rows) {
    const key = email.slice(0, -'@keyed.example'.length);
    effects.set(key, (effects.get(key) ?? 0) + Math.max(1, count));
  }
  return effects;
}

export const userIn = (reply: Reply): string | null =>
  (jsonOf(reply)['user'] as { id?: string } | undefined)?.id ?? null;
