import { setTimeout as delay } from 'node:timers/promises';
import type { INestApplicationContext } from '@nestjs/common';
import { mintEnvironmentId } from '../auth/index.js';
import { ApiError } from '../common/errors/index.js';
import { isUuid } from '../common/ids.js';
import { UnitOfWork } from '../database/index.js';
import { SERVICE } from '../organizations/index.js';
import { REPLAY_SELECTIONS, ReplaysService, type WebhookReplay } from '../webhooks/index.js';
import { parseOptions, required, takeFlags, UsageError } from './arguments.js';
import { environmentOf } from './environments.js';
import { complain, say } from './terminal.js';

const LOOK_EVERY_MS = 1_000;

/**
 * Replays messages of a webhook. Running instances do the work, and continue when this command is interrupted: rerun with
 * the same options, it finds the replay in progress.
 */
export async function webhooksReplay(app: INestApplicationContext, words: string[]): Promise<void> {
  const { flags, rest } = takeFlags(words, ['detach']);
  const options = parseOptions(rest, ['environment', 'webhook', 'messages', 'start-date', 'end-date']);
  const environmentId = mintEnvironmentId((await environmentOf(app, options.environment)).id);
  const webhookId = required(options.webhook, 'webhook').toLowerCase();
  if (!isUuid(webhookId)) throw unknownWebhook(webhookId);
  const messages = REPLAY_SELECTIONS.values.find((one) => one === required(options.messages, 'messages'));
  if (!messages) throw new UsageError(`--messages must be one of ${REPLAY_SELECTIONS.values.join(', ')}.`);
  const request = { messages, startDate: required(options['start-date'], 'start-date'), endDate: options['end-date'] };
  const replays = app.get(ReplaysService);
  const begun = await replays
    .start(environmentId, webhookId, request, SERVICE, app.get(UnitOfWork))
    .catch((error: unknown) => {
      throw error instanceof ApiError ? refusalOf(error, webhookId) : error;
    });
  say(`replay  ${begun.id}`);
  if (flags.detach) return;
  const ended = await followed(begun, () => replays.get(environmentId, webhookId, begun.id));
  say(`${ended.state}  ${ended.done} of ${ended.total} handed to delivery`);
  if (ended.state === 'failed')
    throw new UsageError('The webhook was disabled in the meantime: enable it and run this command again.');
}

/** Prints progress whenever it changes, until the replay has ended. */
async function followed(begun: WebhookReplay, look: () => Promise<WebhookReplay>): Promise<WebhookReplay> {
  let [replay, said] = [begun, ''];
  while (!replay.endedAt) {
    const progress = replay.state === 'counting' ? `… ${replay.total} found` : `… ${replay.done} of ${replay.total}`;
    if (progress !== said) complain(progress);
    said = progress;
    await delay(LOOK_EVERY_MS);
    replay = await look();
  }
  return replay;
}

const unknownWebhook = (id: string): Error => new UsageError(`There is no webhook ${id} in this environment.`);

function refusalOf(error: ApiError, webhookId: string): Error {
  if (error.status === 404) return unknownWebhook(webhookId);
  const fields = (error.details.payload?.['fields'] ?? []) as { message: string }[];
  return fields.length > 0 ? new UsageError(fields.map(({ message }) => `${message}.`).join(' ')) : error;
}
