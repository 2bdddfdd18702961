import { setTimeout as delay } from 'node:timers/promises';
import type { INestApplicationContext } from '@nestjs/common';
import { mintEnvironmentId, type TenantEnvironment } from '../auth/index.js';
import { Config } from '../config/index.js';
import { Clock } from '../common/clock.js';
import { newId } from '../common/ids.js';
import { LOCAL_WEBHOOK_ID } from '../dev/index.js';
import { eventRegistry } from '../database/index.js';
import { LiveEvents, localBody, type EventFollower, type LiveEvent } from '../webhooks/index.js';
import { parseOptions, required, UsageError } from './arguments.js';
import { environmentOf } from './environments.js';
import { localSecret } from './local-secret.js';
import { LocalReceiver, type Outcome } from './local-receiver.js';
import { announceListener } from './running-listeners.js';
import { complain, say } from './terminal.js';

const LOOK_EVERY_MS = 500;
const AGAIN_AFTER_MS = 1_000;
/** For a receiver that responds with an error. One that does not respond is retried without limit. */
const MOST_TRIES = 3;

/** Forwards new events, in order and at least once, until SIGINT or SIGTERM. */
export async function listen(app: INestApplicationContext, words: string[]): Promise<void> {
  const {
    environment: id,
    forward,
    events,
    secret,
  } = parseOptions(words, ['environment', 'forward', 'events', 'secret']);
  const receiver = LocalReceiver.at(required(forward, 'forward'), secret, () => localSecret(app));
  const wanted = namesIn(events);
  const environment = await environmentOf(app, id);
  const stop = new AbortController();
  const end = (): void => stop.abort();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, end);
  const hasOwnSecret = secret !== undefined;
  const dataDir = app.get(Config).get('DATA_DIR');
  const done = announceListener(dataDir, { environmentId: environment.id, url: receiver.url, hasOwnSecret });
  try {
    const follower = await app.get(LiveEvents).follow(mintEnvironmentId(environment.id));
    say(`secret     ${receiver.secret.reveal()}`);
    say(`listening  ${environment.id} → ${receiver.url}`);
    const forwarder = new Forwarder(receiver, environment, app.get(Clock), stop.signal);
    await followUntil(stop.signal, follower, async (event) => {
      if (wanted === null || wanted.has(event.eventName)) await forwarder.forward(event);
    });
  } finally {
    done();
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.removeListener(signal, end);
    await receiver.close();
  }
}

/** Null means all events. @throws UsageError for an unknown event */
function namesIn(events: string | undefined): ReadonlySet<string> | null {
  if (events === undefined) return null;
  const names = events.split(',').map((name) => name.trim());
  const known = new Set(eventRegistry().map(({ name }) => name));
  const unknown = names.find((name) => !known.has(name));
  if (unknown !== undefined) throw new UsageError(`There is no event ${unknown}.`);
  return new Set(names);
}

/** Waits out a database restart; events from the meantime are found afterwards. */
async function followUntil(
  signal: AbortSignal,
  follower: EventFollower,
  tell: (event: LiveEvent) => Promise<void>,
): Promise<void> {
  let isReached = true;
  while (!signal.aborted) {
    const found = await follower.next().catch((error: unknown) => {
      if (isReached) complain(`The database cannot be queried: ${(error as Error).message}. Retrying.`);
      return null;
    });
    isReached = found !== null;
    for (const event of found ?? []) {
      if (!signal.aborted) await tell(event);
    }
    if (!found?.length) await pause(LOOK_EVERY_MS, signal);
  }
}

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  delay(ms, undefined, { signal }).catch(() => undefined);

/** Sends events one by one and prints a line for each attempt. */
class Forwarder {
  constructor(
    private readonly receiver: LocalReceiver,
    private readonly environment: TenantEnvironment,
    private readonly clock: Clock,
    private readonly signal: AbortSignal,
  ) {}

  async forward(event: LiveEvent): Promise<void> {
    const messageId = newId();
    const body = localBody(event, { environment: this.environment, webhookId: LOCAL_WEBHOOK_ID, messageId });
    let answered = 0;
    let isWaiting = false;
    while (!this.signal.aborted) {
      const outcome = await this.receiver.send(messageId, body, this.clock.now());
      if ('failure' in outcome) {
        if (!isWaiting) this.print(event, outcome, 'waiting for the receiver');
        isWaiting = true;
      } else {
        answered += 1;
        const isDone = outcome.status < 300 || answered === MOST_TRIES;
        this.print(event, outcome, isDone ? '' : 'retrying');
        if (isDone) return;
      }
      await pause(AGAIN_AFTER_MS, this.signal);
    }
  }

  private print({ eventId, eventName, createdAt }: LiveEvent, outcome: Outcome, remark: string): void {
    const result = 'failure' in outcome ? outcome.failure : `${outcome.status}  ${Math.round(outcome.durationMs)} ms`;
    say([createdAt.toISOString(), eventName, eventId, result, remark].filter(Boolean).join('  '));
  }
}
