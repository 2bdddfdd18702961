import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { startTestApp, type TestApp } from '../support/app.js';
import { eventually, Receiver, type Received } from '../support/receiver.js';
import { rowsOf } from '../support/rows.js';
import { newEmail, World } from '../support/world.js';

interface Hook {
  webhookId: string;
  ordering: string;
}
type Answer = NonNullable<Parameters<typeof Receiver.start>[0]>;

const EVENTS = ['user.created', 'user.updated'];
const userOf = ({ body }: Received): string => (body.data as { id: string }).id;

/** Figures of this run, for whoever reads its output. */
const say = (text: string): unknown => process.stdout.write(`${text}\n`);

describe('messages about one user', () => {
  let api: TestApp;
  let workers: TestApp[];
  const open: Receiver[] = [];

  beforeAll(async () => {
    // Many attempts, soon after each other, and workers that look often.
    const env = { WEBHOOK_RETRY_SANDBOX: '0,1,1,1,1,1,1,1,1,1,1,1', TIMING_SCALE: '0.05' };
    api = await startTestApp({ ownDatabase: true, redis: true, env: { ...env, ROLE: 'api' } });
    const options = { databaseUrl: api.databaseUrl, redis: true, env: { ...env, ROLE: 'worker' } };
    workers = [await startTestApp(options), await startTestApp(options)];
  });
  afterEach(async () => {
    await Promise.all(open.splice(0).map((receiver) => receiver.stop()));
  });
  afterAll(async () => {
    await Promise.all(workers.map((worker) => worker.close()));
    await api.close();
  });

  async function hook(
    world: World,
    answer: Answer,
    ordering = 'user',
  ): Promise<{ receiver: Receiver; webhook: Hook; request: object }> {
    const receiver = await Receiver.start(answer);
    open.push(receiver);
    const request = { url: receiver.url, isEnabled: true, events: EVENTS, ordering };
    const { body } = await world.api.post<Hook>(world.path('/webhooks'), request, { expect: 201 });
    return { receiver, webhook: body, request };
  }

  const createUser = async (world: World): Promise<string> =>
    (await world.api.post<{ user: { id: string } }>(world.path('/users'), { email: newEmail() }, { expect: 201 })).body
      .user.id;
  const renameUser = (world: World, id: string, firstName: string) =>
    world.api.put(`/users/${id}`, { firstName }, { expect: 200 });

  it('arrive in order, of fifty users with ten events each, although one in four attempts fails', async () => {
    const world = await World.create(api);
    const accepted: Received[] = [];
    let refused = 0;
    const { receiver, webhook } = await hook(world, (request) => {
      if (request.body.eventName === 'ping') return { status: 200 };
      if (randomInt(4) === 0) {
        refused += 1;
        return { status: 503 };
      }
      accepted.push(request);
      return { status: 200 };
    });
    expect(webhook.ordering).toBe('user');
    const made = await Promise.all(
      Array.from({ length: 50 }, async () => {
        const id = await createUser(world);
        for (let n = 1; n < 10; n++) await renameUser(world, id, `name ${n}`);
        return id;
      }),
    );
    await eventually('all of them', () => new Set(accepted.map(({ body }) => body.messageId)).size === 500, 90_000);
    const happened = await rowsOf<{ id: string; user: string }>(
      api,
      `SELECT id, resource_id AS user FROM events WHERE environment_id = $1 AND name = ANY ($2) ORDER BY id`,
      [world.environmentId, EVENTS],
    );
    let violations = 0;
    for (const user of made) {
      const wanted = happened.filter((event) => event.user === user).map(({ id }) => id);
      const told = accepted.filter((request) => userOf(request) === user).map(({ body }) => body.eventId);
      expect(wanted).toHaveLength(10);
      if (JSON.stringify([...new Set(told)]) !== JSON.stringify(wanted)) violations++;
      // Nothing later was even tried before the earlier one was accepted.
      const tried = receiver.received.filter((r) => r.body.eventName !== 'ping' && userOf(r) === user);
      const order = tried.map(({ body }) => wanted.indexOf(body.eventId));
      if (order.some((at, n) => n > 0 && at < (order[n - 1] ?? 0))) violations++;
    }
    expect(violations).toBe(0);
    expect(refused).toBeGreaterThan(50);
    const turns = accepted.map(userOf);
    const changes = turns.filter((user, n) => n > 0 && user !== turns[n - 1]).length;
    expect(changes).toBeGreaterThan(100);
    say(`500 messages, ${refused} attempts refused, 0 out of order, ${changes} changes of user on the way`);
  }, 120_000);

  it('wait for one that fails, and messages about others do not', async () => {
    const world = await World.create(api);
    let failing: string | null = null;
    const { receiver } = await hook(world, (request) => ({
      status: request.body.eventName !== 'ping' && userOf(request) === failing ? 503 : 200,
    }));
    const [stuck, other] = [await createUser(world), await createUser(world)];
    await eventually('both', () => receiver.of('user.created').length === 2);
    failing = stuck;
    for (let n = 0; n < 3; n++) {
      await renameUser(world, stuck, `name ${n}`);
      await renameUser(world, other, `name ${n}`);
    }
    const of = (user: string): Received[] => receiver.of('user.updated').filter((r) => userOf(r) === user);
    await eventually('the other’s', () => of(other).length === 3);
    await eventually('a second attempt', () => of(stuck).length >= 2);
    expect(new Set(of(stuck).map(({ body }) => body.eventId)).size).toBe(1);
    failing = null;
    await eventually('the rest', () => new Set(of(stuck).map(({ body }) => body.eventId)).size === 3);
  });

  it('go on when one is out of attempts', async () => {
    const world = await World.create(api);
    let first: string | null = null;
    const { receiver, webhook } = await hook(world, ({ body }) => {
      if (body.eventName !== 'user.updated') return { status: 200 };
      first ??= body.messageId;
      return { status: body.messageId === first ? 503 : 200 };
    });
    const id = await createUser(world);
    for (let n = 0; n < 3; n++) await renameUser(world, id, `name ${n}`);
    // The record of an attempt counts it, and would undo a count that was written before.
    const last = `WITH counted AS (UPDATE webhook_messages SET attempts = 10
      WHERE id = $1 AND attempts BETWEEN 1 AND 10 AND status = 'pending' RETURNING id) SELECT id FROM counted`;
    await eventually('an attempt that is recorded', async () => first && (await rowsOf(api, last, [first]))[0]);
    await eventually('the others', () => new Set(receiver.of('user.updated').map((r) => r.body.messageId)).size === 3);
    const states = await eventually('recorded', async () => {
      const rows = await rowsOf<{ status: string }>(
        api,
        'SELECT status FROM webhook_messages WHERE webhook_id = $1 AND ordered_by = $2 ORDER BY event_id',
        [webhook.webhookId, id],
      );
      return rows.every(({ status }) => ['delivered', 'failed'].includes(status)) ? rows : null;
    });
    expect(states.map(({ status }) => status)).toEqual(['delivered', 'failed', 'delivered', 'delivered']);
  });

  it('fail where the webhook was disabled, and keep no later one waiting', async () => {
    const world = await World.create(api);
    const arrived = Promise.withResolvers<void>();
    const { receiver, webhook, request } = await hook(world, async ({ body }) => {
      if (body.eventName === 'user.created') await arrived.promise;
      return { status: 200 };
    });
    const id = await createUser(world);
    for (let n = 0; n < 4; n++) await renameUser(world, id, `name ${n}`);
    const messages = () =>
      rowsOf<{ status: string; waits: boolean }>(
        api,
        `SELECT status, COALESCE(next_attempt_at > now() + interval '1 min', false) AS waits FROM webhook_messages
         WHERE webhook_id = $1 AND ordered_by = $2 ORDER BY event_id`,
        [webhook.webhookId, id],
      );
    await eventually(
      'the later ones put off',
      async () => (await messages()).filter(({ waits }) => waits).length === 3,
    );
    await world.api.put(
      world.path(`/webhooks/${webhook.webhookId}`),
      { ...request, isEnabled: false },
      { expect: 200 },
    );
    arrived.resolve();
    const ended = await eventually('the end of all', async () => {
      const states = (await messages()).map(({ status }) => status);
      return states.every((status) => ['delivered', 'failed'].includes(status)) ? states : null;
    });
    expect(ended).toEqual(['delivered', 'failed', 'failed', 'failed', 'failed']);
    await world.api.put(world.path(`/webhooks/${webhook.webhookId}`), request, { expect: 200 });
    await renameUser(world, id, 'the last');
    await eventually('what happens from then on', () => receiver.of('user.updated').length === 1);
  });

  it('are sent again in order, and each as soon as the one before it has arrived', async () => {
    const world = await World.create(api);
    const { receiver, webhook } = await hook(world, () => ({ status: 200 }));
    const id = await createUser(world);
    for (let n = 0; n < 9; n++) await renameUser(world, id, `name ${n}`);
    const told = (again: boolean): string[] =>
      receiver.received
        .filter(({ body }) => body.eventName !== 'ping' && body.redelivery === again)
        .map(({ body }) => body.eventId);
    await eventually('all ten', () => told(false).length === 10);
    await eventually('their records', async () => {
      const sql = "SELECT 1 FROM webhook_messages WHERE webhook_id = $1 AND ordered_by = $2 AND status = 'delivered'";
      return (await rowsOf(api, sql, [webhook.webhookId, id])).length === 10;
    });
    const wish = { messages: 'all', startDate: new Date(Date.now() - 3_600_000).toISOString() };
    await world.api.post(world.path(`/webhooks/${webhook.webhookId}/replays`), wish, { expect: 202 });
    await eventually('all ten again', () => told(true).length === 10);
    expect(told(true)).toEqual(told(false));
  });

  it('do not wait for each other where nobody asks for an order, and leave none behind', async () => {
    const world = await World.create(api);
    const { receiver, webhook, request } = await hook(world, () => ({ status: 200 }), 'none');
    const id = await createUser(world);
    await eventually('the event', () => receiver.of('user.created')[0]);
    expect(
      await rowsOf(api, 'SELECT id FROM webhook_messages WHERE webhook_id = $1 AND ordered_by IS NOT NULL', [
        webhook.webhookId,
      ]),
    ).toEqual([]);
    const own = world.path(`/webhooks/${webhook.webhookId}`);
    await world.api.put(own, { ...request, ordering: 'user' }, { expect: 200 });
    const { ordering: _, ...rest } = request as { ordering: string };
    expect((await world.api.put<Hook>(own, rest, { expect: 200 })).body.ordering).toBe('user');
    await renameUser(world, id, 'name');
    await eventually('the event', () => receiver.of('user.updated')[0]);
    expect(
      await rowsOf(
        api,
        'SELECT ordered_by AS user FROM webhook_messages WHERE webhook_id = $1 AND ordered_by IS NOT NULL',
        [webhook.webhookId],
      ),
    ).toEqual([{ user: id }]);
  });

  /** An event of before about a user of the world that nobody can dispatch until the transaction ends. */
  async function heldEvent(world: World): Promise<{ id: string; release: () => Promise<void> }> {
    const held = api.app.get(DataSource).createQueryRunner();
    await held.connect();
    for (let attempt = 0; attempt < 50; attempt++) {
      const id = await createUser(world);
      const [{ event }] = (await held.query(
        `INSERT INTO events (environment_id, id, name, resource_id, subject_user_id, data)
         VALUES ($1, ('018f0000-0000-7000-8000-' || lpad($4::text, 12, '0'))::uuid, 'user.updated', $2, $2, $3)
         RETURNING id AS event`,
        [world.environmentId, id, JSON.stringify({ id, early: true }), attempt],
      )) as [{ event: string }];
      await held.startTransaction();
      const rows = (await held.query(
        'SELECT 1 FROM events WHERE environment_id = $1 AND id = $2 AND dispatched_at IS NULL FOR UPDATE',
        [world.environmentId, event],
      )) as unknown[];
      if (rows.length === 1) return { id, release: () => held.rollbackTransaction().then(() => held.release()) };
      // A dispatcher was faster.
      await held.rollbackTransaction();
    }
    throw new Error('Each of 50 events was dispatched before it could be locked.');
  }

  it('wait for an earlier event that is no message yet', async () => {
    const world = await World.create(api);
    const { receiver } = await hook(world, () => ({ status: 200 }));
    const { id, release } = await heldEvent(world);
    const about = () => receiver.of('user.updated').filter((request) => userOf(request) === id);
    await renameUser(world, id, 'later');
    await sleep(1500);
    expect(about()).toHaveLength(0);
    await release();
    await renameUser(world, id, 'wakes them');
    await eventually('all three', () => about().length === 3);
    expect(about().findIndex(({ body }) => (body.data as { early?: true }).early)).toBe(0);
  });
});
