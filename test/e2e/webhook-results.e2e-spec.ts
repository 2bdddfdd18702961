import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '../../src/common/ids.js';
import type { AttemptResult } from '../../src/webhooks/delivery/attempt-result.js';
import { claimedMessage } from '../../src/webhooks/delivery/claimed-message.fixture.js';
import { ResultsRepository } from '../../src/webhooks/delivery/results.repository.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { eventually, Receiver } from '../support/receiver.js';
import { rowsOf } from '../support/rows.js';
import { newEmail, World } from '../support/world.js';

interface Message {
  id: string;
  status: string;
  attempts: number;
  /** Until the next one. */
  seconds: number | null;
  /** Of the attempts that are written. */
  written: number[];
}

/** As of an instance whose sweeps come often. */
const TIMING_SCALE = '0.05';

describe('results of attempts', () => {
  let test: TestApp;
  let receiver: Receiver;

  beforeAll(async () => {
    test = await startTestApp({ ownDatabase: true, env: { TIMING_SCALE } });
  });
  afterEach(() => receiver.stop());
  afterAll(() => test.close());

  /** Messages of one webhook that are sent and cannot be recorded; `recordAgain` ends that. */
  async function unrecorded(emails: readonly string[]): Promise<{ webhookId: string; world: World }> {
    const world = await World.create(test);
    receiver = await Receiver.start();
    const request = { url: receiver.url, isEnabled: true, events: ['user.created'] };
    const { body } = await world.api.post<{ webhookId: string }>(world.path('/webhooks'), request, { expect: 201 });
    await rowsOf(test, 'ALTER TABLE webhook_deliveries RENAME TO webhook_deliveries_away');
    for (const email of emails) await world.api.post(world.path('/users'), { email }, { expect: 201 });
    await eventually('all sent', () => receiver.of('user.created').length === emails.length);
    return { webhookId: body.webhookId, world };
  }

  const recordAgain = () => rowsOf(test, 'ALTER TABLE webhook_deliveries_away RENAME TO webhook_deliveries');

  const messagesOf = (webhookId: string): Promise<Message[]> =>
    rowsOf(
      test,
      `SELECT m.id, m.status, m.attempts, extract(epoch FROM m.next_attempt_at - now())::int AS seconds,
         ARRAY(SELECT d.attempt FROM webhook_deliveries d WHERE d.message_id = m.id ORDER BY d.attempt) AS written
       FROM webhook_messages m JOIN events e ON e.id = m.event_id AND e.name = 'user.created'
       WHERE m.webhook_id = $1 ORDER BY m.id`,
      [webhookId],
    );

  const delivered = (webhookId: string) =>
    eventually('recorded', async () => (await messagesOf(webhookId)).every(({ status }) => status === 'delivered'));

  it('of one message that came together count once, under the lease that it has', async () => {
    const { webhookId, world } = await unrecorded([newEmail()]);
    await recordAgain();
    await delivered(webhookId);
    const [{ id: messageId } = { id: '' }] = await messagesOf(webhookId);
    const [lost, taken] = [newId(), newId()];
    await rowsOf(
      test,
      `UPDATE webhook_messages SET status = 'sending', lease_token = $2, next_attempt_at = now() + interval '1 hour'
       WHERE id = $1`,
      [messageId, taken],
    );
    const resultOf = (leaseToken: string): AttemptResult => ({
      message: claimedMessage({ environmentId: world.environmentId, messageId, webhookId, attempt: 2, leaseToken }),
      deliveryId: newId(),
      sentAt: new Date(),
      outcome: 'delivered',
      timedOut: false,
      retryInMs: null,
      request: { url: receiver.url, headers: {}, body: '' },
      response: { durationMs: 1 },
    });
    const [before, now] = [resultOf(lost), resultOf(taken)];
    expect(await test.app.get(ResultsRepository).record([before, now])).toEqual(new Set([now.deliveryId]));
    expect(await messagesOf(webhookId)).toMatchObject([{ status: 'delivered', attempts: 2, written: [1, 2] }]);
  });

  it('wait until they can be written, beside those of the same messages that the worker claimed again', async () => {
    const { webhookId } = await unrecorded(Array.from({ length: 5 }, newEmail));
    // As a crash of the server leaves claims that were not on the disk yet.
    await rowsOf(
      test,
      `UPDATE webhook_messages SET status = 'pending', lease_token = NULL, next_attempt_at = now()
       WHERE webhook_id = $1`,
      [webhookId],
    );
    await eventually('sent again', () => receiver.of('user.created').length === 10);
    await recordAgain();
    await delivered(webhookId);
    expect((await messagesOf(webhookId)).map(({ written }) => written)).toEqual(Array(5).fill([1]));
  });

  it('that the database refuses keep no others from it, and their messages are sent later', async () => {
    const refused = newEmail();
    const { webhookId } = await unrecorded([newEmail(), newEmail(), refused, newEmail(), newEmail()]);
    await rowsOf(
      test,
      `ALTER TABLE webhook_deliveries_away ADD CONSTRAINT planted
       CHECK (position('${refused}' IN request->>'body') = 0) NOT VALID`,
    );
    await recordAgain();
    const ofRefused = await eventually('all but one recorded', async () => {
      const left = (await messagesOf(webhookId)).filter(({ status }) => status !== 'delivered');
      return left.length === 1 && left[0]!.status === 'pending' ? left[0] : null;
    });
    expect(ofRefused).toMatchObject({ attempts: 0, written: [] });
    // Not at once, or a receiver would get it again and again.
    expect(ofRefused.seconds).toBeGreaterThan(30);
    await rowsOf(test, 'ALTER TABLE webhook_deliveries DROP CONSTRAINT planted');
    await rowsOf(test, 'UPDATE webhook_messages SET next_attempt_at = now() WHERE id = $1', [ofRefused.id]);
    await delivered(webhookId);
  });
});
