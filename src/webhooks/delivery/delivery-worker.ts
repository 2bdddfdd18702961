import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import { LogRecord } from '../../common/log-record.js';
import { AttemptWatch } from './attempt-watch.js';
import { Attempts } from './attempt.service.js';
import type { AttemptResult } from './attempt-result.js';
import { ClaimsRepository } from './claims.repository.js';
import type { ClaimedMessage } from './claimed-message.js';
import { DeliveryLanes } from './delivery-lanes.js';
import { HeldMessages } from './held-messages.js';
import { QUICK_MS, type Pace } from './lane.js';
import { ResultRecorder } from './result-recorder.js';

/** A message that has waited longer in this process is handed back, for a less busy worker. */
const MAX_WAIT_MS = 5000;
/** How long a webhook rests if its secret cannot be opened. */
const POSTPONED_MS = 5000;
/** How long a message rests if its result cannot be recorded: it will be sent again, and most likely fail again. */
const REFUSED_MS = 60_000;
/** Longer than dispatching takes. */
const HELD_MS = 50;
/** Requests time out within 15 s. */
const FINISH_MS = 16_000;
const POLL_MS = 20;

/** Claims due messages, sends them concurrently and records the outcomes. Idle until woken. */
@Injectable()
export class DeliveryWorker {
  private readonly log = new Logger('Webhooks');
  private readonly lanes = new DeliveryLanes();
  private claiming: Promise<void> | null = null;
  private again = false;
  private stopped = false;

  constructor(
    private readonly claims: ClaimsRepository,
    private readonly attempts: Attempts,
    private readonly recorder: ResultRecorder,
    private readonly watch: AttemptWatch,
    private readonly held: HeldMessages,
  ) {
    recorder.onRecorded((results) => {
      held.release(results.map(({ message }) => message));
      this.lanes.close(results.length, performance.now());
      this.sendNext();
    });
    recorder.onRefused(({ message }) => void this.handBack([message], REFUSED_MS));
  }

  /** Looks for due messages. Resolves once they are claimed; sending continues in the background. */
  wake(): Promise<void> {
    this.again = true;
    return (this.claiming ??= this.claim());
  }

  /** Stops claiming, hands back unsent messages, and waits until requests in flight are recorded. */
  async stop(): Promise<void> {
    this.stopped = true;
    await this.claiming;
    await this.handBack(this.lanes.drain());
    const deadline = performance.now() + FINISH_MS;
    while (this.lanes.sendingAny && performance.now() < deadline) await sleep(POLL_MS);
    await this.recorder.finish();
    this.held.stop();
  }

  private async claim(): Promise<void> {
    await Promise.resolve(); // so that `claiming` is set before it is unset
    while (this.again && !this.stopped) {
      this.again = false;
      try {
        await this.claimOnce();
      } catch (error) {
        this.log.error(`Due messages could not be claimed: ${(error as Error).message}`);
        break;
      }
      this.sendNext();
    }
    // In the same turn in which `again` was found unset: any later wake starts a new run.
    this.claiming = null;
  }

  private async claimOnce(): Promise<void> {
    const room = this.lanes.offer(performance.now());
    if (room.limit === 0) return;
    const { messages, granted, passedOver, held } = await this.claims.claim(room);
    const now = performance.now();
    this.held.take(messages);
    this.lanes.accept(room, messages, now, granted);
    if (passedOver > 0) this.again = true;
    if (held > 0) void sleep(HELD_MS, undefined, { ref: false }).then(() => this.wake());
  }

  private sendNext(): void {
    for (let message = this.lanes.next(); message !== null; message = this.lanes.next()) void this.deliver(message);
    if (this.lanes.hungry && !this.stopped) void this.wake();
  }

  private async deliver(message: ClaimedMessage): Promise<void> {
    const pace = await this.attempt(message);
    this.lanes.settle(message.webhookId, pace);
    this.sendNext();
  }

  /** Null if nothing was learnt about the receiver. */
  private async attempt(message: ClaimedMessage): Promise<Pace | null> {
    if (this.stopped || this.held.age(message) > MAX_WAIT_MS) {
      await this.handBack([message, ...this.lanes.drain(message.webhookId)]);
      return null;
    }
    try {
      const result = await this.attempts.make(message);
      this.recorder.add(result);
      this.watch.attempted(result);
      if (result.outcome === 'gone') await this.handBack(this.lanes.drain(message.webhookId));
      return paceOf(result);
    } catch (error) {
      const { messageId, webhookId, environmentId } = message;
      const requestId = message.requestId ?? undefined;
      const text = `A message could not be sent: ${(error as Error).message}`;
      this.log.error(new LogRecord(text, { requestId, messageId, webhookId, environmentId }));
      this.lanes.rest(message.webhookId, performance.now() + POSTPONED_MS);
      await this.handBack([message, ...this.lanes.drain(message.webhookId)], POSTPONED_MS);
      return null;
    }
  }

  /** If this fails, the leases simply expire. */
  private async handBack(messages: readonly ClaimedMessage[], delayMs = 0): Promise<void> {
    try {
      await this.claims.handBack(messages, delayMs);
    } catch (error) {
      this.log.error(`${messages.length} messages could not be released: ${(error as Error).message}`);
    }
    this.held.release(messages);
    this.lanes.close(messages.length, performance.now());
  }
}

function paceOf({ timedOut, outcome, response }: AttemptResult): Pace {
  if (timedOut) return 'hanging';
  return outcome === 'delivered' && response.durationMs < QUICK_MS ? 'quick' : 'slow';
}
