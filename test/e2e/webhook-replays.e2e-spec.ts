import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { UnitOfWork } from '../../src/database/index.js';
import { ReplayStepsRepository } from '../../src/webhooks/replays/replay-steps.repository.js';
import { ReplaysJob } from '../../src/webhooks/replays/replays.job.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { auditOf } from '../support/audit.js';
import { command } from '../support/operator.js';
import { eventually, Receiver } from '../support/receiver.js';
import { eventsOf, rowsOf } from '../support/rows.js';
import { seedMessages } from '../support/seeded-messages.js';
import { ServiceProcess } from '../support/service-process.js';
import { World } from '../support/world.js';

interface Replay {
  id: string;
  messages: string;
  state: string;
  total: number;
  done: number;
  startDate: string;
  endDate: string;
  endedAt?: string;
}
interface State {
  attempts: number;
  status: string;
  redelivered: boolean;
  count: number;
}

const hoursAgo = (hours: number): string => new Date(Date.now() - hours * 3_600_000).toISOString();

describe('a replay of a webhook', () => {
  let test: TestApp;
  /** Where nobody works unless a test says so. */
  let idle: TestApp;
  const open: Receiver[] = [];
  const others: { close(): Promise<unknown> }[] = [];

  beforeAll(async () => {
    test = await startTestApp({ ownDatabase: true });
    idle = await startTestApp({ ownDatabase: true, env: { ROLE: 'api' } });
  });
  afterEach(async () => {
    await Promise.all(others.splice(0).map((other) => other.close()));
    await Promise.all(open.splice(0).map((receiver) => receiver.stop()));
  });
  afterAll(async () => {
    await test.close();
    await idle.close();
  });

  async function hook(on: TestApp = test, events = ['user.created'], answer?: Parameters<typeof Receiver.start>[0]) {
    const world = await World.create(on);
    const receiver = await Receiver.start(answer);
    open.push(receiver);
    const request = { url: receiver.url, isEnabled: true, events };
    const { body } = await world.api.post<{ webhookId: string }>(world.path('/webhooks'), request, { expect: 201 });
    const path = world.path(`/webhooks/${body.webhookId}/replays`);
    return { world, receiver, request, webhookId: body.webhookId, path };
  }
  type Hook = Awaited<ReturnType<typeof hook>>;

  const start = async ({ world, path }: Hook, body: object, expect = 202): Promise<Replay> =>
    (await world.api.post<Replay>(path, body, { expect })).body;
  const read = async ({ world, path }: Hook, { id }: Replay): Promise<Replay> =>
    (await world.api.get<Replay>(`${path}/${id}`, { expect: 200 })).body;
  const ended = (of: Hook, replay: Replay, ms = 45_000): Promise<Replay> =>
    eventually(
      'the end of the replay',
      async () => {
        const seen = await read(of, replay);
        return seen.endedAt ? seen : null;
      },
      ms,
    );
  /** Messages of the webhook by what became of them; the ping is left out. */
  const states = ({ webhookId }: Hook, on: TestApp = test): Promise<State[]> =>
    rowsOf<State>(
      on,
      `SELECT m.attempts, m.status, m.redelivered_at IS NOT NULL AS redelivered, count(*)::int AS count
       FROM webhook_messages m JOIN events e ON e.environment_id = m.environment_id AND e.id = m.event_id
       WHERE m.webhook_id = $1 AND e.name <> 'ping' GROUP BY 1, 2, 3 ORDER BY 1, 2`,
      [webhookId],
    );

  it('sends what has failed once more, under the same id, with the next attempt number', async () => {
    const own = await hook();
    const { world, webhookId, receiver } = own;
    await seedMessages(test, world, { count: 40, status: 'failed', webhookId });
    await seedMessages(test, world, { count: 30, status: 'delivered', webhookId });
    const ids = await rowsOf<{ id: string }>(
      test,
      `SELECT id FROM webhook_messages WHERE webhook_id = $1 AND status = 'failed'`,
      [webhookId],
    );
    const replay = await start(own, { messages: 'failed', startDate: hoursAgo(1) });
    expect(replay).toMatchObject({ messages: 'failed', state: 'counting', done: 0 });
    expect(await ended(own, replay)).toMatchObject({ state: 'completed', total: 40, done: 40 });
    await eventually('40 messages', () => receiver.of('user.created').length >= 40);
    const sent = receiver.of('user.created');
    expect(sent.map(({ body }) => body.messageId).sort()).toEqual(ids.map(({ id }) => id).sort());
    expect(new Set(sent.map(({ body }) => body.redelivery))).toEqual(new Set([true]));
    await eventually('the records', async () => (await states(own)).length === 2);
    expect(await states(own)).toEqual([
      { attempts: 1, status: 'delivered', redelivered: false, count: 30 },
      { attempts: 2, status: 'delivered', redelivered: true, count: 40 },
    ]);
    const again = await ended(own, await start(own, { messages: 'failed', startDate: hoursAgo(1) }));
    expect(again).toMatchObject({ state: 'completed', total: 0, done: 0 });
    expect(again.id).not.toBe(replay.id);
  });

  it('makes the messages that are missing, and none twice', async () => {
    const own = await hook(test, ['user.created', 'user.deleted']);
    const { world, webhookId, receiver, request } = own;
    // What another webhook has of an event is no message of this one.
    const other = await world.api.post<{ webhookId: string }>(world.path('/webhooks'), request, { expect: 201 });
    await seedMessages(test, world, { count: 50, status: 'delivered', webhookId });
    await seedMessages(test, world, {
      count: 20,
      name: 'user.deleted',
      status: 'delivered',
      webhookId: other.body.webhookId,
    });
    await seedMessages(test, world, { count: 40, name: 'user.deleted' });
    await seedMessages(test, world, { count: 70, name: 'user.updated' });
    const wish = { messages: 'missing', startDate: hoursAgo(1) };
    expect(await ended(own, await start(own, wish))).toMatchObject({ state: 'completed', total: 60, done: 60 });
    expect(await ended(own, await start(own, wish))).toMatchObject({ state: 'completed', total: 0, done: 0 });
    await eventually('60 messages', () => receiver.of('user.deleted').length >= 60);
    expect(receiver.received.filter(({ body }) => body.eventName !== 'ping')).toHaveLength(60);
    expect(new Set(receiver.of('user.deleted').map(({ body }) => body.eventId)).size).toBe(60);
    expect(receiver.of('user.deleted').every(({ body }) => body.redelivery === false)).toBe(true);
  });

  it('makes no message for an event whose own may be gone by age', async () => {
    const own = await hook(idle);
    const { environmentId } = own.world;
    await seedMessages(idle, own.world, { count: 10 });
    const { id } = await start(own, { messages: 'missing', startDate: hoursAgo(1) });
    const events = "SELECT id FROM events WHERE environment_id = $1 AND name = 'user.created' ORDER BY id";
    const oldest = (await rowsOf<{ id: string }>(idle, events, [environmentId]))[3]!.id;
    const steps = idle.app.get(ReplayStepsRepository, { strict: false });
    const step = (state: 'counting' | 'running') => {
      const replay = { environmentId, id, state, selection: 'missing', isEnabled: true } as const;
      return idle.app.get(UnitOfWork).run((tx) => steps.step(environmentId, replay, oldest, tx));
    };
    expect(await step('counting')).toMatchObject({ state: 'running', total: 6 });
    expect(await step('running')).toMatchObject({ state: 'completed', done: 6 });
  });

  it('is begun by an operator as well, who sees how far it is and what came of it', async () => {
    const own = await hook();
    const { world, webhookId, receiver } = own;
    await seedMessages(test, world, { count: 25, status: 'failed', webhookId });
    const replay = (...words: string[]) =>
      command(test.app, 'webhooks', 'replay', '--environment', world.environmentId, ...words);
    const wanted = ['--webhook', webhookId, '--messages', 'failed', '--start-date', hoursAgo(1)];
    const { code, stdout } = await replay(...wanted);
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(/^replay {2}[0-9a-f-]{36}\ncompleted {2}25 of 25 handed to delivery\n$/),
    ]);
    await eventually('25 messages', () => receiver.of('user.created').length === 25);
    const records = await auditOf(test, world.ids.organizationId, { action: 'webhook.replay.started' });
    expect(records).toMatchObject([{ actor: { kind: 'service' } }]);
    for (const [words, problem] of [
      [['--webhook', world.environmentId, ...wanted.slice(2)], 'There is no webhook'],
      [
        [...wanted.slice(0, 2), '--messages', 'lost', ...wanted.slice(4)],
        '--messages must be one of all, failed, missing',
      ],
      [[...wanted.slice(0, 5), 'yesterday'], 'startDate must be a day'],
    ] as const) {
      expect(await replay(...words)).toMatchObject({ code: 1, stderr: expect.stringContaining(problem) });
    }
  });

  it('keeps to its range', async () => {
    const own = await hook();
    const { world, webhookId } = own;
    await seedMessages(test, world, { count: 5, status: 'failed', webhookId, ageSeconds: 5 * 3600 });
    await seedMessages(test, world, { count: 6, status: 'failed', webhookId, ageSeconds: 3 * 3600 });
    await seedMessages(test, world, { count: 7, status: 'failed', webhookId, ageSeconds: 3600 });
    const range = { startDate: hoursAgo(4), endDate: hoursAgo(2) };
    expect(await ended(own, await start(own, range))).toMatchObject({ total: 6, done: 6, messages: 'all' });
    expect(await start(own, { startDate: hoursAgo(-1) }, 400)).toMatchObject({ code: 'validation_failed' });
  });

  it('is one replay, however many equal requests come at once', async () => {
    const own = await hook(idle);
    const wish = { messages: 'all', startDate: '2026-01-01' };
    const bodies = await Promise.all(Array.from({ length: 50 }, () => start(own, wish)));
    expect(new Set(bodies.map(({ id }) => id)).size).toBe(1);
    const { body } = await own.world.api.get<{ data: Replay[] }>(own.path, { expect: 200 });
    expect(body.data).toHaveLength(1);
    const started = { action: 'webhook.replay.started' };
    expect(await auditOf(idle, own.world.ids.organizationId, started)).toHaveLength(1);
    const told = await eventsOf(idle, own.world.environmentId, bodies[0]!.id);
    expect(told).toMatchObject([{ name: 'webhook.replay.started', data: { messages: 'all', state: 'counting' } }]);
  });

  it('keeps others of its webhook waiting until it is canceled, and no other webhook', async () => {
    const [own, other] = [await hook(idle), await hook(idle)];
    const first = await start(own, { messages: 'failed', startDate: '2026-01-01' });
    for (const wish of [
      { messages: 'all', startDate: '2026-01-01' },
      { messages: 'failed', startDate: '2026-01-02' },
      { messages: 'failed', startDate: '2026-01-01', endDate: '2026-02-01' },
    ]) {
      const { body } = await own.world.api.post<object>(own.path, wish, { expect: 409 });
      expect(body).toMatchObject({ code: 'replay_under_way', payload: { replayId: first.id } });
    }
    await start(other, { startDate: '2026-01-01' });
    const { world, request } = own;
    const second = await world.api.post<{ webhookId: string }>(world.path('/webhooks'), request, { expect: 201 });
    const besides = { ...own, path: world.path(`/webhooks/${second.body.webhookId}/replays`) };
    const beside = await start(besides, { messages: 'failed', startDate: '2026-01-01' });
    for (const [of, { id: replayId }] of [
      [own, first],
      [besides, beside],
    ] as const)
      expect(await start(of, { startDate: '2026-01-03' }, 409)).toMatchObject({ payload: { replayId } });
    const elsewhere = `${besides.path}/${first.id}`;
    await world.api.get(elsewhere, { expect: 404 });
    await world.api.post(`${elsewhere}/cancel`, undefined, { expect: 404 });
    const canceled = await Promise.all(
      Array.from({ length: 20 }, () => own.world.api.post<Replay>(`${own.path}/${first.id}/cancel`)),
    );
    expect(canceled.map(({ status, body }) => [status, body.state])).toEqual(Array(20).fill([200, 'canceled']));
    const told = await eventsOf(idle, own.world.environmentId, first.id);
    expect(told.map(({ name }) => name)).toEqual(['webhook.replay.started', 'webhook.replay.ended']);
    expect((await start(own, { startDate: '2026-01-01' })).id).not.toBe(first.id);
  });

  it('does nothing more once it is canceled', async () => {
    const own = await hook(idle);
    await seedMessages(idle, own.world, { count: 2500, status: 'delivered', webhookId: own.webhookId });
    const replay = await start(own, { startDate: hoursAgo(1) });
    await eventually('a first step', async () => {
      await idle.app.get(ReplaysJob).run();
      return (await read(own, replay)).done > 0;
    });
    const { done } = (await own.world.api.post<Replay>(`${own.path}/${replay.id}/cancel`)).body;
    await idle.app.get(ReplaysJob).run();
    expect(await read(own, replay)).toMatchObject({ state: 'canceled', total: 2500, done });
    expect((await states(own, idle)).find(({ redelivered }) => redelivered)?.count).toBe(done);
  });

  it('leaves at most three thousand messages waiting, so that what happens now is not behind all of it', async () => {
    const own = await hook(idle);
    await seedMessages(idle, own.world, { count: 6000, status: 'delivered', webhookId: own.webhookId });
    const replay = await start(own, { startDate: hoursAgo(1) });
    for (let times = 0; times < 20; times++) await idle.app.get(ReplaysJob).run();
    expect(await read(own, replay)).toMatchObject({ state: 'running', total: 6000, done: 2000 });
  });

  it('fails when its webhook is disabled, and cannot begin then', async () => {
    const own = await hook(idle);
    const replay = await start(own, { startDate: hoursAgo(1) });
    const off = { ...own.request, isEnabled: false };
    await own.world.api.put(own.world.path(`/webhooks/${own.webhookId}`), off, { expect: 200 });
    await idle.app.get(ReplaysJob).run();
    expect(await read(own, replay)).toMatchObject({ state: 'failed', done: 0 });
    const told = await eventsOf(idle, own.world.environmentId, replay.id);
    expect(told.at(-1)).toMatchObject({ name: 'webhook.replay.ended', data: { state: 'failed' } });
    const { body } = await own.world.api.post<{ code: string }>(own.path, { startDate: hoursAgo(1) }, { expect: 422 });
    expect(body.code).toBe('webhook_disabled');
  });

  it('hands out each message once, however many work on it at once', async () => {
    const own = await hook(idle);
    await seedMessages(idle, own.world, { count: 1900, status: 'delivered', webhookId: own.webhookId });
    const second = await startTestApp({ databaseUrl: idle.databaseUrl, env: { ROLE: 'api' } });
    others.push(second);
    const replay = await start(own, { startDate: hoursAgo(1) });
    const jobs = [idle, second].map(({ app }) => app.get(ReplaysJob));
    await Promise.all(Array.from({ length: 40 }, (_, at) => jobs[at % 2]!.run()));
    await jobs[0]!.run();
    expect(await read(own, replay)).toMatchObject({ state: 'completed', total: 1900, done: 1900 });
    expect(await states(own, idle)).toEqual([{ attempts: 1, status: 'pending', redelivered: true, count: 1900 }]);
    const ends = (await eventsOf(idle, own.world.environmentId, replay.id)).map(({ name }) => name);
    expect(ends).toEqual(['webhook.replay.started', 'webhook.replay.ended']);
  });

  it('is finished by another instance when the first is killed half way, each message once', async () => {
    const own = await hook(idle, ['user.created'], async () => {
      await sleep(2);
      return { status: 200 };
    });
    const { world, webhookId, receiver } = own;
    await seedMessages(idle, world, { count: 5000, status: 'delivered', webhookId });
    await rowsOf(idle, "UPDATE webhook_replays SET state = 'canceled', ended_at = now() WHERE ended_at IS NULL");
    await rowsOf(idle, 'UPDATE webhook_messages SET next_attempt_at = NULL WHERE webhook_id <> $1', [webhookId]);
    // Up to a time before the ping, which is sent as soon as somebody works.
    const replay = await start(own, { startDate: hoursAgo(1), endDate: hoursAgo(0.05) });

    const settings = { DATABASE_URL: idle.databaseUrl, MASTER_KEY: idle.masterKey, ROLE: 'worker', PORT: '0' };
    const first = ServiceProcess.spawn({ ...settings, DATA_DIR: mkdtempSync(join(tmpdir(), 'gatehouse-replay-')) });
    others.push({ close: () => first.discard() });
    await first.until(async () => (await read(own, replay)).done >= 2000);
    await first.end('SIGKILL');
    const killed = await read(own, replay);
    expect(killed).toMatchObject({ state: 'running', total: 5000 });
    expect(killed.done).toBeLessThan(5000);

    const second = await startTestApp({ databaseUrl: idle.databaseUrl, env: { ROLE: 'worker' } });
    others.push(second);
    // Nobody wants to wait until the leases of the dead end.
    const inFlight = await rowsOf(
      idle,
      `UPDATE webhook_messages SET next_attempt_at = now() WHERE webhook_id = $1 AND status = 'sending' RETURNING id`,
      [webhookId],
    );
    expect(await ended(own, replay, 120_000)).toMatchObject({ state: 'completed', total: 5000, done: 5000 });
    await eventually(
      'every attempt',
      async () => (await states(own, idle)).every(({ attempts }) => attempts > 1),
      120_000,
    );
    expect(await states(own, idle)).toEqual([{ attempts: 2, status: 'delivered', redelivered: true, count: 5000 }]);
    const sent = receiver.of('user.created');
    expect(new Set(sent.map(({ body }) => body.messageId)).size).toBe(5000);
    expect(sent.length - 5000).toBeLessThanOrEqual(inFlight.flat().length);
  }, 300_000);

  it.each([
    [{}, 'startDate'],
    [{ startDate: 'yesterday' }, 'startDate'],
    [{ startDate: '2026-02-01', endDate: '2026-01-01' }, 'endDate'],
    [{ startDate: '2026-01-01', messages: 'some' }, 'messages'],
  ])('refuses %j', async (wish, field) => {
    const own = await hook(idle);
    const { body } = await own.world.api.post<object>(own.path, wish, { expect: 400 });
    expect(body).toMatchObject({ payload: { fields: expect.arrayContaining([expect.objectContaining({ field })]) } });
    expect((await own.world.api.get<{ data: Replay[] }>(own.path, { expect: 200 })).body.data).toEqual([]);
  });
});
