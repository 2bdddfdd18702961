import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { UnitOfWork } from '../../src/database/index.js';
import { MessagesRepository } from '../../src/webhooks/delivery/messages.repository.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { rowsOf } from '../support/rows.js';
import { seedMessages } from '../support/seeded-messages.js';
import { World } from '../support/world.js';

interface Message {
  id: string;
  status: string;
  /** Whether it was asked for again within the last minute. */
  isAsked: boolean;
  /** Whether an attempt is due. */
  isDue: boolean;
  /** Whether anything but the wish was written within the last minute. */
  isTouched: boolean;
}

describe('a message that is asked for again', () => {
  let test: TestApp;
  let world: World;
  let webhookId: string;

  beforeAll(async () => {
    test = await startTestApp({ env: { ROLE: 'api' } });
    world = await World.create(test);
    webhookId = await hook();
  });
  afterAll(() => test.close());

  async function hook(): Promise<string> {
    const request = { url: 'http://127.0.0.1:9/', isEnabled: true, events: ['user.created'] };
    const { body } = await world.api.post<{ webhookId: string }>(world.path('/webhooks'), request, { expect: 201 });
    return body.webhookId;
  }

  const messages = (where = 'true'): Promise<Message[]> =>
    rowsOf(
      test,
      `SELECT id, status, coalesce(redelivered_at > now() - interval '1 min', false) AS "isAsked",
         coalesce(next_attempt_at <= now(), false) AS "isDue", updated_at > now() - interval '1 min' AS "isTouched"
       FROM webhook_messages WHERE webhook_id = $1 AND created_at < now() - interval '1 min' AND ${where} ORDER BY id`,
      [webhookId],
    );

  /** A message that was delivered ten minutes ago, but for what is given. */
  async function message(set = "status = 'delivered'"): Promise<string> {
    const before = (await messages()).map(({ id }) => id);
    await seedMessages(test, world, { count: 1, status: 'delivered', webhookId });
    const made = (await messages()).find(({ id }) => !before.includes(id))!.id;
    await rowsOf(test, `UPDATE webhook_messages SET ${set} WHERE id = $1`, [made]);
    return made;
  }

  const ask = (id: string, of = webhookId, environmentId = world.environmentId): Promise<boolean> =>
    test.app
      .get(UnitOfWork)
      .run((tx) => test.app.get(MessagesRepository, { strict: false }).redeliver(environmentId, of, id, tx));
  const stateOf = async (id: string): Promise<Partial<Message>> => {
    const { id: _, ...state } = (await messages(`id = '${id}'`))[0]!;
    return state;
  };

  it.each(['delivered', 'failed', 'pending'])('is due at once when it is %s', async (status) => {
    const id = await message(`status = '${status}', next_attempt_at = NULL`);
    expect(await ask(id)).toBe(true);
    expect(await stateOf(id)).toEqual({ status: 'pending', isAsked: true, isDue: true, isTouched: true });
  });

  it('is only marked while it is in flight: whoever has it sends it again', async () => {
    const id = await message("status = 'sending', next_attempt_at = now() + interval '1 hour'");
    expect(await ask(id)).toBe(true);
    expect(await stateOf(id)).toEqual({ status: 'sending', isAsked: true, isDue: false, isTouched: false });
  });

  it('is sent once for all who ask within five seconds', async () => {
    const [early, late] = [
      await message("redelivered_at = now() - interval '4 s'"),
      await message("redelivered_at = now() - interval '6 s'"),
    ];
    expect([await ask(early), await ask(late), await ask(late)]).toEqual([false, true, false]);
    expect((await stateOf(early)).status).toBe('delivered');
  });

  it('is neither another webhook’s nor another environment’s, nor sent to a webhook that is off by then', async () => {
    const id = await message();
    expect(await ask(id, await hook())).toBe(false);
    expect(await ask(id, webhookId, world.ids.environments.live)).toBe(false);
    await rowsOf(test, 'UPDATE webhooks SET is_enabled = false WHERE id = $1', [webhookId]);
    expect(await ask(id)).toBe(false);
    expect(await stateOf(id)).toEqual({ status: 'delivered', isAsked: false, isDue: false, isTouched: false });
    await rowsOf(test, 'UPDATE webhooks SET is_enabled = true WHERE id = $1', [webhookId]);
    expect(await ask(id)).toBe(true);
  });

  it.each([
    ['disabled', 'is_enabled = false', 422, 'webhook_disabled'],
    ['deleted', 'is_enabled = false, deleted_at = now()', 404, 'not_found'],
  ])('is not promised when the webhook is %s during the request', async (_, set, status, code) => {
    const [of, known] = [await hook(), test.app.get(MessagesRepository, { strict: false })];
    await seedMessages(test, world, { count: 1, status: 'delivered', webhookId: of });
    const [made] = await rowsOf<{ id: string }>(test, 'SELECT id FROM webhook_messages WHERE webhook_id = $1', [of]);
    const redeliver = known.redeliver.bind(known);
    const overtaken = jest.spyOn(known, 'redeliver').mockImplementationOnce(async (...asked) => {
      await rowsOf(test, `UPDATE webhooks SET ${set} WHERE id = $1`, [of]);
      return redeliver(...asked);
    });
    const answer = await world.api.post(world.path(`/webhooks/${of}/messages/${made!.id}/redeliver`));
    overtaken.mockRestore();
    expect(answer).toMatchObject({ status, body: { code } });
  });
});
