import { setTimeout as delay } from 'node:timers/promises';
import { jsonOf, type Reply } from '../load/client.js';
import type { World } from '../world/world.js';

/** Whoever is left of an installation may stand still for a while. */
const PATIENCE_MS = 60_000;
const PAUSE_MS = 100;

/** Makes a user whom nothing but the key keeps from being made twice. */
export function createKeyed(world: World, key: string, alias = key): Promise<Reply> {
  const { environmentId, token } = world.ground.tenant;
  return world.client.call({
    method: 'POST',
    path: `/api/v0/environments/${environmentId}/users`,
    headers: { authorization: `Bearer ${token}`, 'idempotency-key': key },
    body: { alias, email: `${key}@keyed.example` },
  });
}

/** As a careful client: again with the same key until there is an answer. */
export const createUntilAnswered = (world: World, key: string): Promise<Reply> =>
  untilAnswered(() => createKeyed(world, key));

/** Asks for something that may be asked for twice until there is an answer. */
export async function untilAnswered(ask: () => Promise<Reply>): Promise<Reply> {
  const deadline = performance.now() + PATIENCE_MS;
  let reply = await ask();
  while ((reply.status === null || reply.status >= 500) && performance.now() < deadline) {
    await delay(PAUSE_MS);
    reply = await ask();
  }
  return reply;
}

/** How often each key took effect: the events that tell of a new user. */
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
