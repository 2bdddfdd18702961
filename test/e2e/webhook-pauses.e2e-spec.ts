import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { claimedMessage } from '../../src/webhooks/delivery/claimed-message.fixture.js';
import { ClaimsRepository } from '../../src/webhooks/delivery/claims.repository.js';
import { ResultsRepository } from '../../src/webhooks/delivery/results.repository.js';
import { DataSource } from 'typeorm';
import { startTestApp, type TestApp } from '../support/app.js';
import { eventually, Receiver } from '../support/receiver.js';
import { rowsOf } from '../support/rows.js';
import { newEmail, World } from '../support/world.js';

interface Hook {
  webhookId: string;
  url: string;
}
type Answer = Parameters<typeof Receiver.start>[0];

/** Workers look every quarter of a second for what is due. */
const TIMING_SCALE = '0.05';
const ROOM = { limit: 50, webhookIds: [], rooms: [], environmentIds: [], environmentRooms: [] };

describe('receivers that hang', () => {
  let api: TestApp;
  let workers: TestApp[] = [];
  const open: Receiver[] = [];

  beforeAll(async () => {
    api = await startTestApp({ ownDatabase: true, redis: true, env: { ROLE: 'api' } });
  });
  afterEach(async () => {
    await Promise.all(open.splice(0).map((receiver) => receiver.stop()));
    await Promise.all(workers.splice(0).map((worker) => worker.close()));
  });
  afterAll(() => api.close());

  async function startWorkers(count: number): Promise<void> {
    const options = { databaseUrl: api.databaseUrl, redis: true, env: { ROLE: 'worker', TIMING_SCALE } };
    workers = await Promise.all(Array.from({ length: count }, () => startTestApp(options)));
  }

  async function hook(world: World, answer?: Answer): Promise<{ receiver: Receiver; webhook: Hook }> {
    const receiver = await Receiver.start(answer);
    open.push(receiver);
    const request = { url: receiver.url, isEnabled: true, events: ['user.created'] };
    const { body } = await world.api.post<Hook>(world.path('/webhooks'), request, { expect: 201 });
    return { receiver, webhook: body };
  }

  const createUser = (world: World) => world.api.post(world.path('/users'), { email: newEmail() }, { expect: 201 });

  /** As if workers had recorded so many timeouts in a row. */
  const noteTimeouts = (world: World, { webhookId, url }: Hook, timeouts: number, answered = false) =>
    api.app.get(ResultsRepository).noteFailures([
      {
        ...{ environmentId: world.environmentId, webhookId, url },
        ...{ failures: timeouts + (answered ? 1 : 0), timeouts, answered },
      },
    ]);

  const stateOf = async ({ webhookId }: Hook): Promise<{ timeouts: number; seconds: number | null }> =>
    (
      await rowsOf<{ timeouts: number; seconds: number | null }>(
        api,
        `SELECT timeouts, round(extract(epoch FROM paused_until - now()))::int AS seconds FROM webhooks WHERE id = $1`,
        [webhookId],
      )
    )[0]!;
  const endPause = ({ webhookId }: Hook) =>
    rowsOf(api, 'UPDATE webhooks SET paused_until = now() WHERE id = $1', [webhookId]);

  it('are paused for a minute after ten timeouts in a row, whoever counted them', async () => {
    const world = await World.create(api);
    const { webhook } = await hook(world);
    await Promise.all(Array.from({ length: 9 }, () => noteTimeouts(world, webhook, 1)));
    expect(await stateOf(webhook)).toEqual({ timeouts: 9, seconds: null });
    await noteTimeouts(world, webhook, 0, true);
    expect(await stateOf(webhook)).toEqual({ timeouts: 0, seconds: null });
    await Promise.all(Array.from({ length: 10 }, () => noteTimeouts(world, webhook, 1)));
    const { timeouts, seconds } = await stateOf(webhook);
    expect(timeouts).toBe(10);
    // What is left of a minute, on a machine that is busy for a moment.
    expect(seconds).toBeGreaterThan(50);
    expect(seconds).toBeLessThanOrEqual(60);
    await noteTimeouts(world, webhook, 0, true);
    expect(await stateOf(webhook)).toEqual({ timeouts: 0, seconds: null });
  });

  it('are counted by their address: another one begins anew, and the same one does not', async () => {
    const world = await World.create(api);
    const { webhook } = await hook(world);
    await noteTimeouts(world, webhook, 12);
    const counted = async () => {
      const [row] = await rowsOf(
        api,
        `SELECT failed_attempts AS failures, timeouts, failing_since IS NOT NULL AS failing,
           paused_until IS NOT NULL AS paused
         FROM webhooks WHERE id = $1`,
        [webhook.webhookId],
      );
      return row;
    };
    const change = async (url: string) => {
      const request = { url, isEnabled: true, events: ['user.created'] };
      await world.api.put(world.path(`/webhooks/${webhook.webhookId}`), request, { expect: 200 });
      return counted();
    };
    expect(await change(webhook.url)).toEqual({ failures: 12, timeouts: 12, failing: true, paused: true });
    const fresh = { failures: 0, timeouts: 0, failing: false, paused: false };
    const elsewhere = { ...webhook, url: `${webhook.url}/elsewhere` };
    expect(await change(elsewhere.url)).toEqual(fresh);
    // Messages to the address before are still on their way.
    await noteTimeouts(world, webhook, 12);
    expect(await counted()).toEqual(fresh);
    await noteTimeouts(world, elsewhere, 2);
    const { environmentId } = world;
    const sentTo = ({ url, webhookId }: Hook) => claimedMessage({ environmentId, webhookId, url });
    const repository = api.app.get(ResultsRepository);
    await repository.noteSuccesses([sentTo(webhook)]);
    expect(await counted()).toMatchObject({ failures: 2, timeouts: 2, failing: true });
    await repository.noteSuccesses([sentTo(webhook), sentTo(elsewhere), sentTo(elsewhere)]);
    expect(await counted()).toEqual(fresh);
  });

  it('get nothing while they are paused, and one message when that is over, of fifteen claims at once', async () => {
    const world = await World.create(api);
    const { webhook } = await hook(world);
    await noteTimeouts(world, webhook, 10);
    for (let n = 0; n < 5; n++) await createUser(world);
    const claim = async (): Promise<number> => {
      // All of them read the webhook before the first may change it.
      const runner = api.app.get(DataSource).createQueryRunner();
      await runner.startTransaction();
      await runner.query('SELECT 1 FROM webhooks WHERE id = $1 FOR NO KEY UPDATE', [webhook.webhookId]);
      const claiming = Promise.all(Array.from({ length: 15 }, () => api.app.get(ClaimsRepository).claim(ROOM)));
      await sleep(300);
      await runner.rollbackTransaction();
      await runner.release();
      const claims = await claiming;
      return claims.flatMap(({ messages }) => messages).filter(({ webhookId }) => webhookId === webhook.webhookId)
        .length;
    };
    expect(await claim()).toBe(0);
    await endPause(webhook);
    expect(await claim()).toBe(1);
    expect(await claim()).toBe(0);
    await rowsOf(api, 'DELETE FROM webhooks WHERE id = $1', [webhook.webhookId]);
  });

  it('keep no claim waiting for another in a circle, however many have their pauses end together', async () => {
    const world = await World.create(api);
    const hooks = await Promise.all(Array.from({ length: 12 }, async () => (await hook(world)).webhook));
    for (const webhook of hooks) await noteTimeouts(world, webhook, 10);
    await createUser(world);
    const ids = hooks.map(({ webhookId }) => webhookId).toSorted();
    const due = `UPDATE webhook_messages SET status = 'pending', lease_token = NULL, next_attempt_at = now()
      WHERE environment_id = $1`;
    const claims = api.app.get(ClaimsRepository);
    const claimed: string[] = [];
    for (let round = 0; round < 3; round++) {
      await rowsOf(api, due, [world.environmentId]);
      for (const webhook of hooks) await endPause(webhook);
      const runner = api.app.get(DataSource).createQueryRunner();
      await runner.startTransaction();
      await runner.query('SELECT 1 FROM webhooks WHERE id = $1 FOR NO KEY UPDATE', [ids[0]]);
      const claiming = Promise.all(Array.from({ length: 15 }, () => claims.claim({ ...ROOM, limit: 100 })));
      await sleep(300);
      await runner.rollbackTransaction();
      await runner.release();
      claimed.push(...(await claiming).flatMap(({ messages }) => messages.map(({ webhookId }) => webhookId)));
    }
    expect([...new Set(claimed)].filter((id) => ids.includes(id)).toSorted()).toEqual(ids);
    await rowsOf(api, 'DELETE FROM webhooks WHERE environment_id = $1', [world.environmentId]);
  });

  it('get everything again once the one message is answered, and are forgotten when they are enabled anew', async () => {
    const world = await World.create(api);
    let answer = (): void => undefined;
    const asked = new Promise<void>((resolve) => (answer = resolve));
    const held = (async () => {
      await asked;
      return { status: 200 };
    }) as () => Promise<never>;
    const { receiver, webhook } = await hook(world, ({ body }) =>
      body.eventName === 'ping' ? { status: 200 } : held(),
    );
    await startWorkers(2);
    await eventually('the ping', () => receiver.of('ping')[0]);
    await noteTimeouts(world, webhook, 10);
    for (let n = 0; n < 8; n++) await createUser(world);
    await sleep(500);
    expect(receiver.of('user.created')).toHaveLength(0);
    await endPause(webhook);
    await eventually('the one', () => receiver.of('user.created')[0]);
    // They have looked twelve times meanwhile.
    await sleep(3000);
    expect(receiver.of('user.created')).toHaveLength(1);
    answer();
    await eventually('the others', () => receiver.of('user.created').length === 8);
    expect(await stateOf(webhook)).toEqual({ timeouts: 0, seconds: null });

    await noteTimeouts(world, webhook, 10);
    const request = { url: receiver.url, events: ['user.created'] };
    for (const isEnabled of [false, true]) {
      await world.api.put(world.path(`/webhooks/${webhook.webhookId}`), { ...request, isEnabled }, { expect: 200 });
    }
    expect(await stateOf(webhook)).toEqual({ timeouts: 0, seconds: null });
    await createUser(world);
    await eventually('at once', () => receiver.of('user.created').length === 9);
  });
});
