import type { INestApplication, INestApplicationContext } from '@nestjs/common';
import { mintEnvironmentId, type TenantEnvironment } from '../auth/index.js';
import { Config } from '../config/index.js';
import { Clock } from '../common/clock.js';
import { isUuid, newId } from '../common/ids.js';
import { LOCAL_WEBHOOK_ID } from '../dev/index.js';
import { buildDocument, EXTRA_SCHEMAS, sampleOfEvent } from '../openapi/index.js';
import { localBody, WebhookSamples, type LiveEvent } from '../webhooks/index.js';
import { parseOptions, UsageError } from './arguments.js';
import { environmentOf } from './environments.js';
import { localSecret } from './local-secret.js';
import { LocalReceiver } from './local-receiver.js';
import { findListener } from './running-listeners.js';
import { say } from './terminal.js';

/** Sends a sample event, marked as a sample, and prints the response. Nothing is stored. */
export async function trigger(app: INestApplicationContext, words: string[]): Promise<void> {
  const [eventName, ...rest] = words;
  if (eventName === undefined || eventName.startsWith('--'))
    throw new UsageError('Name an event, such as user.created.');
  const options = parseOptions(rest, ['environment', 'webhook', 'forward', 'secret']);
  if (options.webhook !== undefined && options.forward !== undefined) {
    throw new UsageError('Give either --webhook or --forward, not both.');
  }
  const event = sampleEvent(app, eventName);
  const environment = await environmentOf(app, options.environment);
  const forward =
    options.forward ?? (options.webhook === undefined ? listenerOf(app, environment, options.secret) : null);
  if (forward !== null) {
    const receiver = LocalReceiver.at(forward, options.secret, () => localSecret(app));
    return toThisMachine(event, environment, receiver);
  }
  if (options.secret !== undefined) {
    throw new UsageError('--secret applies to --forward and to a running `listen`: webhooks have their own secrets.');
  }
  await toWebhooks(app, event, environment, options.webhook);
}

/** The address to which a running `listen` of the environment forwards, or null. */
function listenerOf(
  app: INestApplicationContext,
  { id }: TenantEnvironment,
  secret: string | undefined,
): string | null {
  const listener = findListener(app.get(Config).get('DATA_DIR'), id);
  if (listener?.hasOwnSecret && secret === undefined) {
    throw new UsageError('The running `listen` signs with a secret given by --secret. Give the same one here.');
  }
  return listener?.url ?? null;
}

function sampleEvent(app: INestApplicationContext, eventName: string): LiveEvent {
  const createdAt = app.get(Clock).now();
  const data = sampleOfEvent(buildDocument(app as INestApplication, EXTRA_SCHEMAS), eventName, createdAt);
  if (!data) throw new UsageError(`There is no event ${eventName}.`);
  const nobody = { userId: null, externalUserId: null, actor: null };
  return { eventId: newId(), eventName, ...nobody, createdAt, data: JSON.stringify(data) };
}

async function toThisMachine(event: LiveEvent, environment: TenantEnvironment, receiver: LocalReceiver): Promise<void> {
  try {
    const messageId = newId();
    const body = localBody(event, { environment, webhookId: LOCAL_WEBHOOK_ID, messageId, sample: true });
    say(`secret  ${receiver.secret.reveal()}`);
    const outcome = await receiver.send(messageId, body, event.createdAt);
    if ('failure' in outcome) throw new UsageError(`${receiver.url}  ${outcome.failure}`);
    say(`${receiver.url}  ${outcome.status}  ${Math.round(outcome.durationMs)} ms`);
    if (outcome.status >= 300) throw new UsageError('The receiver did not accept the sample.');
  } finally {
    await receiver.close();
  }
}

async function toWebhooks(
  app: INestApplicationContext,
  event: LiveEvent,
  environment: TenantEnvironment,
  webhook: string | undefined,
): Promise<void> {
  const samples = app.get(WebhookSamples);
  const environmentId = mintEnvironmentId(environment.id);
  const ids = webhook === undefined ? await samples.listAsking(environmentId, event.eventName) : [idOf(webhook)];
  if (ids.length === 0) {
    throw new UsageError(
      `No webhook of the environment is subscribed to ${event.eventName}. Name one with --webhook <id>.`,
    );
  }
  let failed = 0;
  for (const id of ids) {
    const result = await samples.send(environmentId, environment.kind, id, event);
    if (!result) throw new UsageError(`The environment has no webhook ${id}.`);
    if (!result.delivered) failed += 1;
    say(`${result.webhookId}  ${result.outcome}  ${result.durationMs} ms  ${result.url}`);
  }
  if (failed > 0) throw new UsageError(`${failed} of ${ids.length} webhooks did not accept the sample.`);
}

function idOf(id: string): string {
  if (!isUuid(id)) throw new UsageError(`--webhook must be the id of a webhook (seen: ${String(id)}).`);
  return id.toLowerCase();
}
