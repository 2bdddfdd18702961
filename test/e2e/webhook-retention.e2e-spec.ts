import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { Clock } from '../../src/common/clock.js';
import { RetentionJob } from '../../src/webhooks/retention/retention.job.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { watchLockWaits } from '../support/lock-waits.js';
import { withClient } from '../support/postgres.js';
import { eventually, Receiver } from '../support/receiver.js';
import { rowsOf } from '../support/rows.js';
import { seedMessages } from '../support/seeded-messages.js';
import { Standstill } from '../support/standstill.js';
import { newEmail, World } from '../support/world.js';

const DAY = 86_400;
/** Shorter is noise of a machine that does other things as well. */
const MOST_MS = 200;

describe('what was sent to webhooks', () => {
  let test: TestApp;
  let worker: TestApp | null = null;
  let receiver: Receiver;

  beforeAll(async () => {
    test = await startTestApp({ ownDatabase: true, env: { ROLE: 'api' } });
    receiver = await Receiver.start();
  });
  afterAll(async () => {
    await worker?.close();
    await test.close();
    await receiver.stop();
  });

  async function hook(): Promise<{ world: World; webhookId: string }> {
    const world = await World.create(test);
    const request = { url: receiver.url, isEnabled: true, events: ['user.created'] };
    const { body } = await world.api.post<{ webhookId: string }>(world.path('/webhooks'), request, { expect: 201 });
    return { world, webhookId: body.webhookId };
  }

  async function removeAll(): Promise<void> {
    for (let runs = 0; !(await test.app.get(RetentionJob).run()); runs++) expect(runs).toBeLessThan(100);
  }

  /** Rows about events of a name, by table. */
  async function left({ environmentId }: World, name: string): Promise<number[]> {
    const [row] = await rowsOf<{ counts: number[] }>(
      test,
      `WITH e AS (SELECT id FROM events WHERE environment_id = $1 AND name = $2),
         m AS (SELECT id FROM webhook_messages WHERE environment_id = $1 AND event_id IN (SELECT id FROM e)),
         d AS (SELECT id FROM webhook_deliveries WHERE environment_id = $1 AND message_id IN (SELECT id FROM m))
       SELECT ARRAY[(SELECT count(*) FROM e), (SELECT count(*) FROM m), (SELECT count(*) FROM d)]::int[] AS counts`,
      [environmentId, name],
    );
    return row!.counts;
  }

  it('goes by age: deliveries after 30 days, messages and events after 90', async () => {
    const { world, webhookId } = await hook();
    const sent = { status: 'delivered', webhookId, deliveryBytes: 10 } as const;
    await seedMessages(test, world, { ...sent, count: 1200, name: 'very.old', ageSeconds: 91 * DAY });
    await seedMessages(test, world, { ...sent, count: 20, name: 'old', ageSeconds: 89 * DAY });
    await seedMessages(test, world, { ...sent, count: 30, name: 'recent', ageSeconds: 29 * DAY });
    await seedMessages(test, world, { count: 5, name: 'unheard', ageSeconds: 91 * DAY });
    await removeAll();
    expect(await left(world, 'very.old')).toEqual([0, 0, 0]);
    expect(await left(world, 'unheard')).toEqual([0, 0, 0]);
    expect(await left(world, 'old')).toEqual([20, 20, 0]);
    expect(await left(world, 'recent')).toEqual([30, 30, 30]);
  });

  it('stays while it is still to be sent, and so does its event', async () => {
    const { world, webhookId } = await hook();
    await seedMessages(test, world, { count: 3, name: 'waiting', status: 'failed', webhookId, ageSeconds: 95 * DAY });
    await seedMessages(test, world, { count: 4, name: 'unseen', ageSeconds: 95 * DAY });
    const due = `UPDATE webhook_messages SET status = 'pending', next_attempt_at = now() + interval '1 h'
      WHERE environment_id = $1 AND created_at < now() - interval '90 d'`;
    await rowsOf(test, due, [world.environmentId]);
    await rowsOf(test, "UPDATE events SET dispatched_at = NULL WHERE environment_id = $1 AND name = 'unseen'", [
      world.environmentId,
    ]);
    await removeAll();
    expect(await left(world, 'waiting')).toEqual([3, 3, 0]);
    expect(await left(world, 'unseen')).toEqual([4, 0, 0]);
  });

  it('has the age that the database says: a worker whose clock is a year ahead removes nothing early', async () => {
    const { world, webhookId } = await hook();
    const sent = { status: 'delivered', webhookId, deliveryBytes: 10 } as const;
    await seedMessages(test, world, { ...sent, count: 3, name: 'recent', ageSeconds: 29 * DAY });
    await seedMessages(test, world, { ...sent, count: 3, name: 'very.old', ageSeconds: 91 * DAY });
    const ahead = jest.spyOn(test.app.get(Clock), 'timestamp').mockReturnValue(Date.now() + 365 * DAY * 1_000);
    try {
      await removeAll();
    } finally {
      ahead.mockRestore();
    }
    expect(await left(world, 'recent')).toEqual([3, 3, 3]);
    expect(await left(world, 'very.old')).toEqual([0, 0, 0]);
  });

  it('is removed without anybody waiting for it: 40,000 old messages beside 300 that are sent', async () => {
    worker = await startTestApp({ databaseUrl: test.databaseUrl, env: { ROLE: 'worker' } });
    const { world, webhookId } = await hook();
    const old = { status: 'delivered', webhookId, deliveryBytes: 2000, ageSeconds: 91 * DAY } as const;
    await seedMessages(test, world, { ...old, count: 40_000, name: 'very.old' });
    await rowsOf(test, 'ANALYZE webhook_messages, webhook_deliveries, events');
    const before = receiver.of('user.created').length;
    let removing = true;
    const delays: number[] = [];
    // Whoever holds a lock when the process is halted holds it as long.
    const standstill = Standstill.watch();
    const { longestMs, samples } = await watchLockWaits(test.databaseUrl, async () => {
      const removed = removeAll().finally(() => (removing = false));
      for (let made = 0; made < 300 || removing; made += 10) {
        const at = Date.now();
        await Promise.all(
          Array.from({ length: 10 }, () =>
            world.api.post(world.path('/users'), { email: newEmail() }, { expect: 201 }),
          ),
        );
        delays.push(Date.now() - at);
        await sleep(5);
      }
      await removed;
      await eventually('the messages', () => receiver.of('user.created').length >= before + 300);
    });
    expect(await left(world, 'very.old')).toEqual([0, 0, 0]);
    expect(samples).toBeGreaterThan(100);
    expect(longestMs).toBeLessThan(MOST_MS + standstill.ms);
    standstill.stop();
    const failed = `SELECT count(*)::int AS count FROM webhook_messages WHERE webhook_id = $1 AND attempts > 1`;
    expect(await rowsOf(test, failed, [webhookId])).toEqual([{ count: 0 }]);
  }, 90_000);

  it('would be seen to make others wait', async () => {
    const { world } = await hook();
    const { longestMs } = await watchLockWaits(test.databaseUrl, () =>
      withClient(test.databaseUrl, async (client) => {
        await client.query('BEGIN');
        await client.query('SELECT FROM webhooks WHERE environment_id = $1 FOR UPDATE', [world.environmentId]);
        const other = rowsOf(test, 'UPDATE webhooks SET url = url WHERE environment_id = $1', [world.environmentId]);
        await sleep(3 * MOST_MS);
        await client.query('COMMIT');
        await other;
      }),
    );
    expect(longestMs).toBeGreaterThan(MOST_MS);
  });
});
