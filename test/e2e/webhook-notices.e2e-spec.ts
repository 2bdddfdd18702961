import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { mintEnvironmentId } from '../../src/auth/index.js';
import { UnitOfWork } from '../../src/database/index.js';
import { DevInbox, Mailer, type InboxEntry } from '../../src/providers/index.js';
import { WebhookDisabler } from '../../src/webhooks/delivery/webhook-disabler.job.js';
import { NoticesJob } from '../../src/webhooks/notices/notices.job.js';
import { NoticesRepository } from '../../src/webhooks/notices/notices.repository.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { captureLog } from '../support/log.js';
import { eventually, Receiver } from '../support/receiver.js';
import { rowsOf } from '../support/rows.js';
import { newEmail, World } from '../support/world.js';

interface Hook {
  webhookId: string;
  url: string;
  isEnabled: boolean;
}

describe('owners', () => {
  let test: TestApp;
  let log: ReturnType<typeof captureLog> | null = null;
  const open: Receiver[] = [];

  beforeAll(async () => {
    test = await startTestApp({ ownDatabase: true });
  });
  afterEach(async () => {
    log?.stop();
    log = null;
    await Promise.all(open.splice(0).map((receiver) => receiver.stop()));
  });
  afterAll(() => test.close());

  async function hook(status = 200): Promise<{ world: World; webhook: Hook }> {
    const world = await World.create(test);
    await world.signIn(world.ownerEmail, { environmentId: world.ids.consoleEnvironmentId });
    const receiver = await Receiver.start(({ body }) => ({ status: body.eventName === 'ping' ? 200 : status }));
    open.push(receiver);
    const request = { url: `${receiver.url}?key=secret-of-the-address`, isEnabled: true, events: ['user.created'] };
    const { body } = await world.api.post<Hook>(world.path('/webhooks'), request, { expect: 201 });
    return { world, webhook: body };
  }

  const mailsTo = (email: string): InboxEntry[] =>
    test.app.get(DevInbox).entries.filter(({ to, subject }) => to === email && subject?.startsWith('Webhook disabled'));
  const left = ({ webhookId }: Hook) =>
    rowsOf(test, 'SELECT id FROM webhook_notices WHERE webhook_id = $1', [webhookId]);
  const due = () => rowsOf(test, 'UPDATE webhook_notices SET due_at = now()');
  const disable = ({ world, webhook }: { world: World; webhook: Hook }) =>
    test.app
      .get(WebhookDisabler)
      .disable({ environmentId: world.environmentId, webhookId: webhook.webhookId, url: webhook.url }, 'failing');

  it('are told once of a webhook that is disabled, each of them and nobody else', async () => {
    const { world, webhook } = await hook(410);
    const second = await World.create(test);
    const { userId } = await second.signIn(newEmail(), { environmentId: world.ids.consoleEnvironmentId });
    const secondEmail = second.ownerEmail;
    await second.signIn(secondEmail, { environmentId: world.ids.consoleEnvironmentId });
    const { organizationId } = world.ids;
    for (const [id, role] of [
      [second.ids.ownerUserId, 'owner'],
      [userId, 'admin'],
    ]) {
      await rowsOf(
        test,
        'INSERT INTO members (organization_id, id, user_id, role) VALUES ($1, gen_random_uuid(), $2, $3)',
        [organizationId, id, role],
      );
    }
    await world.api.post(world.path('/users'), { email: newEmail() }, { expect: 201 });
    await eventually('the emails', () => mailsTo(world.ownerEmail)[0] && mailsTo(secondEmail)[0]);
    await eventually('nothing left', async () => (await left(webhook)).length === 0);
    await test.app.get(NoticesJob).run();
    const told = test.app.get(DevInbox).entries.filter(({ subject }) => subject?.startsWith('Webhook disabled'));
    expect(told.map(({ to }) => to).sort()).toEqual([world.ownerEmail, secondEmail].sort());
    expect(told[0]?.text).toContain('410');
    expect(told[0]?.text).toContain(webhook.url.replace(/\?.*/, ''));
    expect(JSON.stringify(told)).not.toContain('secret-of-the-address');
  });

  it('are told once by any number of workers, of one of fifty wishes to disable', async () => {
    const made = await hook();
    await Promise.all(Array.from({ length: 50 }, () => disable(made)));
    await Promise.all(Array.from({ length: 50 }, () => test.app.get(NoticesJob).run()));
    await eventually('nothing left', async () => (await left(made.webhook)).length === 0);
    expect(mailsTo(made.world.ownerEmail)).toHaveLength(1);
  });

  it('are told later when the mail server refuses, and nothing is told of what was rolled back', async () => {
    log = captureLog();
    const made = await hook();
    const mailer = test.app.get(Mailer);
    const send = mailer.send.bind(mailer);
    let refusals = 0;
    mailer.send = async (mail) => {
      if (mail.to !== made.world.ownerEmail || refusals++ > 0) return send(mail);
      throw new Error('the mail server is away');
    };
    try {
      await disable(made);
      await eventually('the refusal', () => refusals === 1);
      await test.app.get(NoticesJob).run();
      expect([mailsTo(made.world.ownerEmail).length, (await left(made.webhook)).length]).toEqual([0, 1]);
      await due();
      await test.app.get(NoticesJob).run();
      expect([mailsTo(made.world.ownerEmail).length, (await left(made.webhook)).length]).toEqual([1, 0]);
    } finally {
      mailer.send = send;
    }
    const notice = { webhookId: made.webhook.webhookId, url: made.webhook.url, reason: 'gone' as const };
    const rolledBack = test.app.get(UnitOfWork).run(async (tx) => {
      await test.app.get(NoticesRepository).add(mintEnvironmentId(made.world.environmentId), notice, tx);
      throw new Error('rolled back');
    });
    await expect(rolledBack).rejects.toThrow('rolled back');
    expect(await left(made.webhook)).toEqual([]);
  });

  it.each([
    ['removed', 'DELETE FROM members WHERE organization_id = $1 AND user_id = $2'],
    ['an admin', "UPDATE members SET role = 'admin' WHERE organization_id = $1 AND user_id = $2"],
  ])('are told nothing that waited for the mail server while they became %s', async (_, change) => {
    const made = await hook();
    const mailer = test.app.get(Mailer);
    const { send } = mailer;
    let refusals = 0;
    mailer.send = () => {
      refusals += 1;
      return Promise.reject(new Error('the mail server is away'));
    };
    log = captureLog();
    try {
      await disable(made);
      await eventually('the refusal', () => refusals === 1);
    } finally {
      mailer.send = send;
    }
    await rowsOf(test, change, [made.world.ids.organizationId, made.world.ids.ownerUserId]);
    await due();
    await test.app.get(NoticesJob).run();
    await eventually('nothing left', async () => (await left(made.webhook)).length === 0);
    expect(mailsTo(made.world.ownerEmail)).toEqual([]);
  });

  it('are told at most once more by a worker that ends between sending and removing', async () => {
    log = captureLog();
    const made = await hook();
    const notices = test.app.get(NoticesRepository);
    const remove = notices.remove.bind(notices);
    let ended = 0;
    notices.remove = async (notice) => {
      if (ended++ > 0) return remove(notice);
      throw new Error('ended');
    };
    try {
      await disable(made);
      await eventually('the first', () => ended === 1);
      await due();
      await test.app.get(NoticesJob).run();
    } finally {
      notices.remove = remove;
    }
    expect([mailsTo(made.world.ownerEmail).length, (await left(made.webhook)).length]).toEqual([2, 0]);
  });
});
