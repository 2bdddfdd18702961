import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestApp, type TestApp } from '../support/app.js';
import { HURRIED, hurry } from '../support/hurried.js';
import { eventually, Receiver, type Received } from '../support/receiver.js';
import { rowsOf } from '../support/rows.js';
import { Standstill } from '../support/standstill.js';
import { newEmail, World } from '../support/world.js';

interface Hook {
  webhookId: string;
  url: string;
}
type Answer = Parameters<typeof Receiver.start>[0];

/** The value that 99 of 100 do not exceed. */
const p99 = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.ceil(values.length * 0.99) - 1] ?? NaN;

/** Figures of this run, for whoever reads its output. */
const say = (text: string): unknown => process.stdout.write(`${text}\n`);

describe('one of ten receivers that hangs', () => {
  let api: TestApp;
  let worker: TestApp;
  const open: Receiver[] = [];

  beforeAll(async () => {
    api = await startTestApp({ ownDatabase: true, redis: true, env: { ROLE: 'api' } });
  });
  afterAll(async () => {
    await Promise.all(open.splice(0).map((receiver) => receiver.stop()));
    await worker?.close();
    await api.close();
  });

  async function hook(world: World, answer?: Answer): Promise<{ receiver: Receiver; webhook: Hook }> {
    const receiver = await Receiver.start(answer);
    open.push(receiver);
    const request = { url: receiver.url, isEnabled: true, events: ['user.created'] };
    const { body } = await world.api.post<Hook>(world.path('/webhooks'), request, { expect: 201 });
    return { receiver, webhook: body };
  }

  const createUser = (world: World) => world.api.post(world.path('/users'), { email: newEmail() }, { expect: 201 });

  it('does not delay the nine others of its environment, nor another, and its attempts end in time', async () => {
    const [world, neighbour] = [await World.create(api), await World.create(api)];
    let hangs = false;
    const others: Awaited<ReturnType<typeof hook>>[] = [];
    for (let n = 0; n < 9; n++) others.push(await hook(world));
    const apart = await hook(neighbour);
    const hung = await hook(world, () => (hangs ? new Promise<never>(() => undefined) : { status: 200 }));
    worker = await startTestApp({ databaseUrl: api.databaseUrl, redis: true, env: { ROLE: 'worker' }, prepare: hurry });
    await eventually('the pings', () => open.every((receiver) => receiver.of('ping').length === 1));

    const load = async (seconds: number): Promise<number[]> => {
      for (const receiver of open) receiver.received.length = 0;
      const made = 10 * seconds;
      for (let n = 0; n < made; n++) {
        await Promise.all([createUser(world), n % 5 === 0 && createUser(neighbour), sleep(100)]);
      }
      await eventually('all of them', () => others.every(({ receiver }) => receiver.received.length === made));
      await eventually('the neighbour’s', () => apart.receiver.received.length === made / 5);
      const late = ({ at, body }: Received): number => at - Date.parse(String(body['timestamp']));
      return [...others, apart].flatMap(({ receiver }) => receiver.received.map(late));
    };
    const standstill = Standstill.watch();
    await load(1);
    const before = await load(5);
    hangs = true;
    // On a machine that does other things as well, a few milliseconds say nothing.
    const most = Math.max(2 * p99(before), 100);
    let during = await load(5);
    // And it may have stood still for once: every one of fifty events is ten receipts.
    for (let more = 0; more < 5 && p99(during) > most; more += 1) during = await load(5);
    say(
      `commit to receipt: p99 ${p99(before)} ms of ${before.length} before, ${p99(during)} ms of ${during.length} while one hangs`,
    );
    expect(p99(during)).toBeLessThanOrEqual(most);
    const attempts = await eventually('its attempts', async () => {
      const rows = await rowsOf<{ durationMs: number; error: string }>(
        api,
        `SELECT (d.response->>'durationMs')::int AS "durationMs", d.response->>'error' AS error FROM webhook_deliveries d
         JOIN webhook_messages m ON m.environment_id = d.environment_id AND m.id = d.message_id
         WHERE m.webhook_id = $1 AND d.status = 'failed'`,
        [hung.webhook.webhookId],
      );
      return rows.length > 0 ? rows : null;
    });
    for (const { durationMs, error } of attempts) {
      expect(error).toBe('timeout');
      expect(durationMs).toBeGreaterThanOrEqual(14_000 / HURRIED);
      expect(durationMs).toBeLessThanOrEqual(16_000 / HURRIED + standstill.ms);
    }
    standstill.stop();
    say(`${attempts.length} attempts ended after ${attempts.map(({ durationMs }) => durationMs).join(', ')} ms`);
  }, 240_000);
});
