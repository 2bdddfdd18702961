import { setTimeout as delay } from 'node:timers/promises';
import { atOnce, isSuccess, tally } from '../../load/at-once.js';
import { attemptsOf } from '../messages.js';
import { happensWithin } from '../when.js';
import { AT_ONCE, type Artefact } from './artefact.js';

const FAILING = 'redelivered';
const SENT_MS = 30_000;
const FAILED_MS = 30_000;
/** Long enough to see a superfluous attempt. */
const WATCHED_MS = 500;

/** The schedule itself would retry after twelve seconds or more. */
const PUT_OFF = `
  UPDATE webhook_messages SET next_attempt_at = now() + interval '1 hour'
  WHERE environment_id = $1 AND id = $2 AND status = 'pending'`;

/** A request to redeliver a failed message: several within ten seconds count as one. */
export const redelivery: Artefact = {
  name: 'redelivery',
  prepare: async (world) => {
    const webhookId = await world.createWebhook(FAILING);
    return async (trial) => {
      world.sink.become(FAILING, { kind: 'status', status: 500 });
      const { resultId } = await world.load.createUser();
      const told = () => world.sink.receipts.filter((one) => one.hook === FAILING && one.resourceId === resultId);
      const failed = await happensWithin(FAILED_MS, async () => {
        const messageId = told()[0]?.messageId;
        return (await attemptsOf(world, [FAILING])).some((attempt) => attempt.messageId === messageId);
      });
      const messageId = told()[0]?.messageId;
      await world.withDatabase((client) => client.query(PUT_OFF, [world.ground.tenant.environmentId, messageId]));
      world.sink.become(FAILING, { kind: 'ok' });
      if (!failed || told().length !== 1) return [`redelivery ${trial}: nothing had failed once`];
      const path = `/webhooks/${webhookId}/messages/${messageId}/redeliver`;
      const replies = await atOnce(AT_ONCE, () => world.ask('POST', path));
      await happensWithin(SENT_MS, () => told().length > 1);
      await delay(WATCHED_MS);
      const more = told().length - 1;
      const wrong = replies.every(isSuccess) ? [] : [`redelivery: ${tally(replies)}`];
      return more === 1 ? wrong : [...wrong, `redelivery ${trial} led to ${more} attempts`];
    };
  },
};
