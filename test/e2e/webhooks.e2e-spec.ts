import { createHmac } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { newId } from '../../src/common/ids.js';
import { claimedMessage } from '../../src/webhooks/delivery/claimed-message.fixture.js';
import { ResultsRepository } from '../../src/webhooks/delivery/results.repository.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { auditOf } from '../support/audit.js';
import { withClient } from '../support/postgres.js';
import { provenOwner } from '../support/proven-owner.js';
import { eventually, Receiver } from '../support/receiver.js';
import { rowsOf } from '../support/rows.js';
import { newEmail, World } from '../support/world.js';

interface Hook {
  webhookId: string;
  url: string;
  events: string[];
  isEnabled: boolean;
  secret?: string;
  enabledAt?: string;
}
interface Delivery {
  deliveryId: string;
  eventId: string;
  messageId: string;
  status: string;
  deliveryAttempt: number;
  request: { headers: Record<string, string>; body: string };
  response: { status?: number; error?: string; headers?: Record<string, string>; body?: string };
}
interface Page {
  cursor?: string;
  data: Delivery[];
}

describe.each([
  ['in this process', false],
  ['over Bull on Redis', true],
])('webhooks, rung %s,', (_, redis) => {
  let test: TestApp;
  let worker: TestApp | null = null;
  const open: Receiver[] = [];

  beforeAll(async () => {
    test = await startTestApp({ redis, ownDatabase: true, env: { ROLE: redis ? 'api' : 'all' } });
    // Over Redis the instance that answers requests and the one that delivers are two.
    if (redis) worker = await startTestApp({ redis, databaseUrl: test.databaseUrl, env: { ROLE: 'worker' } });
  });
  afterEach(async () => {
    await Promise.all(open.splice(0).map((receiver) => receiver.stop()));
  });
  afterAll(async () => {
    await worker?.close();
    await test.close();
  });

  async function hook(
    world: World,
    answer?: Parameters<typeof Receiver.start>[0],
    events: string[] = ['user.created'],
  ): Promise<{ receiver: Receiver; webhook: Hook }> {
    const receiver = await Receiver.start(answer);
    open.push(receiver);
    const { body } = await world.api.post<Hook>(
      world.path('/webhooks'),
      { url: receiver.url, isEnabled: true, events },
      { expect: 201 },
    );
    return { receiver, webhook: body };
  }

  const createUser = (world: World): Promise<string> =>
    world.api
      .post<{ user: { id: string } }>(world.path('/users'), { email: newEmail() }, { expect: 201 })
      .then(({ body }) => body.user.id);

  const messages = async (world: World, { webhookId }: Hook): Promise<Delivery[]> =>
    (await world.api.get<Page>(world.path(`/webhooks/${webhookId}/messages`), { expect: 200 })).body.data;

  const deliveries = async (world: World, { webhookId }: Hook, messageId: string): Promise<Delivery[]> =>
    (await world.api.get<Page>(world.path(`/webhooks/${webhookId}/messages/${messageId}`), { expect: 200 })).body.data;

  const redeliver = (world: World, { webhookId }: Hook, messageId: string) =>
    world.api.post<{ message: string }>(world.path(`/webhooks/${webhookId}/messages/${messageId}/redeliver`));

  /** Brings the next attempt forward: nobody wants to wait for the schedule. */
  const makeDue = (messageId: string): Promise<unknown> =>
    withClient(test.databaseUrl, (client) =>
      client.query("UPDATE webhook_messages SET next_attempt_at = now() - interval '1 s' WHERE id = $1", [messageId]),
    );

  it('are pinged when they are made, and told what happens after', async () => {
    const world = await World.create(test);
    const { receiver } = await hook(world);
    await eventually('the ping', () => receiver.of('ping')[0]);
    const userId = await createUser(world);
    const { body } = await eventually('the event', () => receiver.of('user.created')[0]);
    expect(Object.keys(body).sort()).toEqual(
      [
        'actor',
        'data',
        'environmentId',
        'environmentName',
        'eventId',
        'eventName',
        'messageId',
        'redelivery',
        'timestamp',
        'webhookId',
      ].sort(),
    );
    expect(body).toMatchObject({ environmentId: world.environmentId, environmentName: 'sandbox', redelivery: false });
    expect(body.data).toMatchObject({ id: userId });
    const { body: event } = await world.api.get<{ eventId: string; data: unknown }>(
      world.path(`/events/${body.eventId}`),
    );
    expect(event).toMatchObject({ eventId: body.eventId, eventName: 'user.created', data: { id: userId } });
  });

  it('are of events that a range has to the end of its last millisecond', async () => {
    const world = await World.create(test);
    await createUser(world);
    const list = async (query = '') =>
      (await world.api.get<{ data: { eventId: string; timestamp: string }[] }>(world.path(`/events${query}`))).body
        .data;
    const [event] = await list();
    const within = "date_trunc('milliseconds', created_at) + interval '900 microseconds'";
    await rowsOf(test, `UPDATE events SET created_at = ${within} WHERE id = $1`, [event!.eventId]);
    const ids = (await list(`?endDate=${event!.timestamp}`)).map(({ eventId }) => eventId);
    expect(ids).toContain(event!.eventId);
  });

  it('are signed so that the published verifier accepts them, and the older header too', async () => {
    const world = await World.create(test);
    const { receiver, webhook } = await hook(world);
    await createUser(world);
    const { raw, headers } = await eventually('the event', () => receiver.of('user.created')[0]);
    const verifier = new StandardWebhook(webhook.secret ?? '');
    expect(() => verifier.verify(raw, headers as Record<string, string>)).not.toThrow();
    const older = createHmac('sha256', webhook.secret ?? '')
      .update(raw)
      .digest('hex');
    expect(headers['x-webhook-signature-256']).toBe(`sha256=${older}`);
    const forged = Buffer.from(raw.toString().replace('sandbox', 'live'));
    expect(() => verifier.verify(forged, headers as Record<string, string>)).toThrow();
  });

  it('leave one message for each matching webhook and nothing for the others', async () => {
    const world = await World.create(test);
    const [asked, alsoAsked, other, off] = [
      await hook(world),
      await hook(world, undefined, ['user.created', 'user.deleted']),
      await hook(world, undefined, ['user.deleted']),
      await hook(world),
    ];
    const { url, events, webhookId } = off.webhook;
    await world.api.put(world.path(`/webhooks/${webhookId}`), { url, events, isEnabled: false }, { expect: 200 });
    await createUser(world);
    await eventually('both', () => asked.receiver.of('user.created')[0] && alsoAsked.receiver.of('user.created')[0]);
    await eventually('the ping', () => other.receiver.of('ping')[0]);
    expect(other.receiver.of('user.created')).toEqual([]);
    const ofOff = `SELECT FROM webhook_messages m JOIN events e USING (environment_id)
      WHERE e.id = m.event_id AND m.webhook_id = $1 AND e.name <> 'ping'`;
    expect(await rowsOf(test, ofOff, [webhookId])).toEqual([]);
    const [first, second] = [asked.receiver.of('user.created')[0], alsoAsked.receiver.of('user.created')[0]];
    expect(first?.body.eventId).toBe(second?.body.eventId);
    expect(first?.body.messageId).not.toBe(second?.body.messageId);
  });

  it('are tried again after a failure, under the same message id, until they arrive', async () => {
    const world = await World.create(test);
    const { receiver, webhook } = await hook(world, ({ body }, attempt) => ({
      status: body.eventName === 'user.created' && attempt === 1 ? 500 : 200,
      headers: { 'set-cookie': 'secret=1' },
      body: 'thanks',
    }));
    await createUser(world);
    const { body } = await eventually('the first attempt', () => receiver.of('user.created')[0]);
    await eventually('the record', async () => (await deliveries(world, webhook, body.messageId))[0]);
    await makeDue(body.messageId);
    await eventually('the second attempt', () => receiver.of('user.created')[1]);
    const done = await eventually('delivered', async () => {
      const [message] = (await messages(world, webhook)).filter(({ messageId }) => messageId === body.messageId);
      return message?.status === 'delivered' ? message : null;
    });
    expect(done.deliveryAttempt).toBe(2);
    const attempts = await deliveries(world, webhook, body.messageId);
    expect(attempts.map(({ status }) => status).sort()).toEqual(['delivered', 'failed']);
    const failed = attempts.find(({ status }) => status === 'failed');
    expect(failed?.response).toMatchObject({ status: 500, error: 'status', body: 'thanks' });
    expect(JSON.stringify(failed)).not.toContain('secret=1');
    expect(JSON.stringify(attempts)).not.toContain(webhook.secret);
  });

  it('that answer 410 are disabled, and their message can be sent again once they are back', async () => {
    const world = await World.create(test);
    let gone = true;
    const { receiver, webhook } = await hook(world, () => ({ status: gone ? 410 : 200 }));
    const disabled = await eventually('disabled', async () => {
      const { body } = await world.api.get<Hook>(world.path(`/webhooks/${webhook.webhookId}`));
      return body.isEnabled ? null : body;
    });
    expect(disabled.enabledAt).toBeUndefined();
    const [message] = await eventually('failed', async () => {
      const found = await messages(world, webhook);
      return found[0]?.status === 'failed' ? found : null;
    });
    expect((await redeliver(world, webhook, message!.messageId)).status).toBe(422);
    gone = false;
    const { url, events } = webhook;
    await world.api.put(
      world.path(`/webhooks/${webhook.webhookId}`),
      { url, events, isEnabled: true },
      { expect: 200 },
    );
    await redeliver(world, webhook, message!.messageId);
    const again = await eventually('the redelivery', () => receiver.received.find(({ body }) => body.redelivery));
    expect(again.body.messageId).toBe(message!.messageId);
    expect(again.headers['webhook-id']).toBe(message!.messageId);
  });

  it.each([200, 500])(
    'are sent again when somebody asks while an attempt is under way that ends with %i',
    async (first) => {
      const world = await World.create(test);
      let answer = (): void => undefined;
      const held = new Promise<void>((resolve) => (answer = resolve));
      const { receiver, webhook } = await hook(world, async ({ body }, attempt) => {
        if (body.eventName === 'user.created' && attempt === 1) await held;
        return { status: body.eventName === 'user.created' && attempt === 1 ? first : 200 };
      });
      await createUser(world);
      const { body } = await eventually('the first attempt', () => receiver.of('user.created')[0]);
      const asked = await Promise.all(Array.from({ length: 5 }, () => redeliver(world, webhook, body.messageId)));
      expect(asked.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
      answer();
      const again = await eventually('the second attempt', () => receiver.of('user.created')[1], 15_000);
      expect(again.body).toMatchObject({ messageId: body.messageId, redelivery: true });
      await eventually('recorded', async () => (await deliveries(world, webhook, body.messageId)).length === 2);
      const [message] = (await messages(world, webhook)).filter(({ messageId }) => messageId === body.messageId);
      expect(message).toMatchObject({ status: 'delivered', deliveryAttempt: 2 });
      expect(receiver.of('user.created')).toHaveLength(2);
    },
  );

  it('are redelivered once when a hundred ask at the same time', async () => {
    const world = await World.create(test);
    const { receiver, webhook } = await hook(world);
    await createUser(world);
    const { body } = await eventually('the event', () => receiver.of('user.created')[0]);
    await eventually('recorded', async () =>
      (await messages(world, webhook)).every(({ status }) => status === 'delivered'),
    );
    const answers = await Promise.all(Array.from({ length: 100 }, () => redeliver(world, webhook, body.messageId)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    await eventually('the second attempt', () => receiver.of('user.created')[1]);
    await eventually('recorded', async () => {
      const [message] = (await messages(world, webhook)).filter(({ messageId }) => messageId === body.messageId);
      return message?.status === 'delivered' && message.deliveryAttempt >= 2;
    });
    const attempts = await deliveries(world, webhook, body.messageId);
    const numbers = attempts.map(({ deliveryAttempt }) => deliveryAttempt).sort((a, b) => a - b);
    expect(numbers).toEqual(Array.from({ length: numbers.length }, (__, at) => at + 1));
    // Those who asked after the second attempt had ended asked for a third: never one attempt for each caller, nor for
    // every other on a machine that takes long for a hundred calls.
    expect(numbers.length).toBeLessThan(50);
    expect(receiver.of('user.created')).toHaveLength(numbers.length);
  });

  it('lose nothing and repeat nothing among three hundred events of concurrent callers', async () => {
    const world = await World.create(test);
    const { receiver, webhook } = await hook(world);
    const ids = await Promise.all(Array.from({ length: 300 }, () => createUser(world)));
    await eventually('all of them', () => receiver.of('user.created').length >= 300);
    const told = receiver.of('user.created').map(({ body }) => (body.data as { id: string }).id);
    expect(told.sort()).toEqual(ids.sort());
    await eventually('all recorded', async () => {
      const counted = await withClient(test.databaseUrl, (client) =>
        client.query<{ status: string; count: string }>(
          'SELECT status, count(*) FROM webhook_messages WHERE webhook_id = $1 GROUP BY status',
          [webhook.webhookId],
        ),
      );
      return (
        counted.rows.length === 1 && counted.rows[0]?.status === 'delivered' && Number(counted.rows[0].count) === 301
      );
    });
  });

  it('page through their messages, newest first, without repeats', async () => {
    const world = await World.create(test);
    const { receiver, webhook } = await hook(world);
    for (let batch = 0; batch < 6; batch++) await Promise.all(Array.from({ length: 20 }, () => createUser(world)));
    await eventually('all of them', () => receiver.of('user.created').length === 120);
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const path = `/webhooks/${webhook.webhookId}/messages${cursor ? `?cursor=${cursor}` : ''}`;
      const { body } = await world.api.get<Page>(world.path(path), { expect: 200 });
      seen.push(...body.data.map(({ messageId }) => messageId));
      cursor = body.cursor;
    } while (cursor);
    expect(seen).toHaveLength(121);
    expect(new Set(seen).size).toBe(121);
    expect((await world.api.get(world.path(`/webhooks/${webhook.webhookId}/messages?cursor=nonsense`))).status).toBe(
      400,
    );
  });

  it('take over what a killed worker had claimed, and ignore what it says later', async () => {
    const world = await World.create(test);
    const { receiver, webhook } = await hook(world);
    await createUser(world);
    const { body } = await eventually('the event', () => receiver.of('user.created')[0]);
    await eventually('recorded', async () =>
      (await messages(world, webhook)).every(({ status }) => status === 'delivered'),
    );
    // As a worker leaves a message that it claimed and did not live to send: the lease ends at next_attempt_at.
    const zombie = newId();
    await withClient(test.databaseUrl, (client) =>
      client.query(
        `UPDATE webhook_messages SET status = 'sending', lease_token = $2, attempts = 2,
         next_attempt_at = now() - interval '1 s' WHERE id = $1`,
        [body.messageId, zombie],
      ),
    );
    await eventually('taken over', () => receiver.of('user.created')[1]);
    await eventually('recorded', async () => (await deliveries(world, webhook, body.messageId)).length === 2);
    const ghost = claimedMessage({
      environmentId: world.environmentId,
      messageId: body.messageId,
      webhookId: webhook.webhookId,
      attempt: 9,
      leaseToken: zombie,
    });
    const results = test.app.get(ResultsRepository, { strict: false });
    const late = await results.record([
      {
        message: ghost,
        deliveryId: newId(),
        sentAt: new Date(),
        outcome: 'failed',
        timedOut: false,
        retryInMs: null,
        request: { url: webhook.url, headers: {}, body: '' },
        response: { durationMs: 1 },
      },
    ]);
    expect(late.size).toBe(0);
    expect(await deliveries(world, webhook, body.messageId)).toHaveLength(2);
    expect((await messages(world, webhook)).every(({ status }) => status === 'delivered')).toBe(true);
  });

  it('are refused at addresses inside the network', async () => {
    const world = await World.create(test);
    for (const url of [
      'https://169.254.169.254/latest',
      'https://10.0.0.1/x',
      'https://[::ffff:10.0.0.1]/x',
      'https://user:pass@example.com/',
      'ftp://example.com/',
      'not a url',
    ]) {
      const { status, body } = await world.api.post<{ code: string }>(world.path('/webhooks'), {
        url,
        isEnabled: true,
        events: ['user.created'],
      });
      expect([url, status, body.code]).toEqual([url, 400, 'webhook_url_refused']);
    }
    expect((await world.api.get<{ data: Hook[] }>(world.path('/webhooks'))).body.data).toEqual([]);
  });

  it('show their secret when made and on request, never in lists', async () => {
    const world = await World.create(test);
    const { webhook } = await hook(world);
    expect(webhook.secret).toMatch(/^whsec_/);
    const path = world.path(`/webhooks/${webhook.webhookId}`);
    expect((await world.api.get<Hook>(path)).body.secret).toBeUndefined();
    expect((await world.api.get<Hook>(`${path}?includeSecret=true`)).body.secret).toBe(webhook.secret);
    expect(JSON.stringify((await world.api.get(world.path('/webhooks'))).body)).not.toContain('whsec_');
  });

  it('show their secret to whoever may change them, not to whoever may only read, and it is recorded who saw it', async () => {
    const world = await World.create(test);
    const { webhook } = await hook(world);
    const path = world.path(`/webhooks/${webhook.webhookId}?includeSecret=true`);
    const reading = world.api.withToken(await world.mint(['environment.webhooks.read']));
    expect((await reading.get(path)).status).toBe(403);
    expect((await reading.get(world.path(`/webhooks/${webhook.webhookId}`))).status).toBe(200);
    expect((await world.api.get<Hook>(path)).body.secret).toBe(webhook.secret);
    const seen = { action: 'webhook.secret.revealed' };
    const told = await auditOf(test, world.ids.organizationId, seen);
    expect(told).toMatchObject([{ actor: { kind: 'apiToken' }, resourceId: webhook.webhookId, changes: {} }]);
    expect(JSON.stringify(told)).not.toContain('whsec_');
  });

  it('show it to developers with a proof of the last five minutes, and never to viewers', async () => {
    const world = await World.create(test);
    const { webhook } = await hook(world);
    const path = world.path(`/webhooks/${webhook.webhookId}?includeSecret=true`);
    // A personal token is no session: nobody has proven anything with it.
    expect((await world.owner.get<{ code: string }>(path)).body.code).toBe('fresh_proof_required');
    const { token, elevated } = await provenOwner(world, 'console:settings:update');
    const headers = { 'x-elevated-access-token': elevated };
    expect((await world.anonymous.get<{ code: string }>(path, { token })).body.code).toBe('fresh_proof_required');
    for (const [role, status] of [['viewer', 403] as const, ['developer', 200] as const]) {
      await rowsOf(test, 'UPDATE members SET role = $1 WHERE organization_id = $2', [role, world.ids.organizationId]);
      expect((await world.anonymous.get(path, { token, headers })).status).toBe(status);
    }
    const other = await provenOwner(world, 'console:member:invite');
    const wrong = { 'x-elevated-access-token': other.elevated };
    expect((await world.anonymous.get(path, { token: other.token, headers: wrong })).status).toBe(403);
    const told = await auditOf(test, world.ids.organizationId, { action: 'webhook.secret.revealed' });
    expect(told).toMatchObject([{ actor: { kind: 'member', id: world.ids.ownerUserId } }]);
  });

  it('send header fields to the address that they were given for, and to no other', async () => {
    const world = await World.create(test);
    const { webhook } = await hook(world);
    const path = world.path(`/webhooks/${webhook.webhookId}`);
    const { url } = webhook;
    const headers = [{ name: 'x-api-key', value: 'canary-of-the-first-address' }];
    const sealed = async () =>
      (
        await rowsOf<{ sealed: Buffer | null; names: string[] }>(
          test,
          'SELECT sealed_headers AS sealed, header_names AS names FROM webhooks WHERE id = $1',
          [webhook.webhookId],
        )
      )[0]!;
    const change = (body: object) =>
      world.api.put<{ headerNames: string[] }>(
        path,
        { url, events: ['ping'], isEnabled: true, ...body },
        { expect: 200 },
      );
    expect((await change({ headers })).body.headerNames).toEqual(['x-api-key']);
    expect((await change({})).body.headerNames).toEqual(['x-api-key']);
    const elsewhere = { url: `${url}/elsewhere` };
    expect((await change(elsewhere)).body.headerNames).toEqual([]);
    expect(await sealed()).toEqual({ sealed: null, names: [] });
    expect((await change({ headers })).body.headerNames).toEqual(['x-api-key']);
    expect((await change({ ...elsewhere, headers })).body.headerNames).toEqual(['x-api-key']);
    expect((await sealed()).sealed).not.toBeNull();
  });
});
