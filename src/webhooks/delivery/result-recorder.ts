import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import { areValuesRefused } from '../../database/index.js';
import type { AttemptResult } from './attempt-result.js';
import { DueRing } from './due-ring.js';
import { ResultsRepository } from './results.repository.js';
import { talliesOf } from './tally.js';
import { WebhookDisabler } from './webhook-disabler.job.js';

const MAX_BATCH = 128;
const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 2000;

/**
 * Writes results in batches: those that arrive while one statement runs go into the next, so a quiet service records at
 * once and a busy one many at a time. While the database is unavailable results wait here; lease tokens decide which
 * still count. A result that the database rejects is isolated by halving batches, and dropped, so that it delays none.
 */
@Injectable()
export class ResultRecorder {
  private readonly log = new Logger('Webhooks');
  private readonly waiting: AttemptResult[] = [];
  private writing: Promise<void> | null = null;
  private impatient = false;
  private recorded: (results: readonly AttemptResult[]) => void = () => undefined;
  private refused: (result: AttemptResult) => void = () => undefined;

  constructor(
    private readonly results: ResultsRepository,
    private readonly disabler: WebhookDisabler,
    private readonly ring: DueRing,
  ) {}

  /** Calls `listener` after each statement with the results it covered. */
  onRecorded(listener: (results: readonly AttemptResult[]) => void): void {
    this.recorded = listener;
  }

  /** Calls `listener` with each dropped result. */
  onRefused(listener: (result: AttemptResult) => void): void {
    this.refused = listener;
  }

  add(result: AttemptResult): void {
    this.waiting.push(result);
    this.writing ??= this.write();
  }

  /** Waits for everything added so far; for results that cannot be written now, the lease expires. */
  async finish(): Promise<void> {
    this.impatient = true;
    await this.writing;
  }

  private async write(): Promise<void> {
    // Results from the same turn of the event loop share a statement.
    await new Promise(setImmediate);
    let pauseMs = FIRST_PAUSE_MS;
    let size = MAX_BATCH;
    while (this.waiting.length > 0) {
      const batch = this.waiting.slice(0, size);
      try {
        await this.record(batch);
        pauseMs = FIRST_PAUSE_MS;
        size = Math.min(2 * size, MAX_BATCH);
      } catch (error) {
        this.log.error(`Results of ${batch.length} attempts could not be recorded: ${(error as Error).message}`);
        if (areValuesRefused(error)) {
          if (batch.length === 1) this.leaveOut(batch[0]!);
          size = Math.ceil(batch.length / 2);
          continue;
        }
        if (this.impatient) break;
        await sleep(pauseMs);
        pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS);
      }
    }
    // In the same turn in which the list was found empty: any later result starts a new run.
    this.writing = null;
  }

  private async record(batch: readonly AttemptResult[]): Promise<void> {
    const kept = await this.results.record(batch);
    this.waiting.splice(0, batch.length);
    this.recorded(batch);
    this.follow(batch.filter(({ deliveryId }) => kept.has(deliveryId)));
  }

  private leaveOut(result: AttemptResult): void {
    this.waiting.shift();
    this.refused(result);
  }

  /** The consequences of recorded results. A missed one is caught up: the webhook's next failure checks again. */
  private follow(results: readonly AttemptResult[]): void {
    const failures = results.filter(({ outcome }) => outcome !== 'delivered');
    const delays = failures.flatMap(({ retryInMs }) => retryInMs ?? []);
    if (delays.length > 0) this.ring.schedule(Math.min(...delays));
    // The next message of the same user may go now.
    if (results.some(({ message, retryInMs }) => message.orderedBy !== null && retryInMs === null))
      this.ring.schedule(0);
    this.note(results, failures).catch((error: Error) =>
      this.log.error(`The state of webhooks could not be recorded: ${error.message}`),
    );
  }

  private async note(results: readonly AttemptResult[], failures: readonly AttemptResult[]): Promise<void> {
    const recovered = results.filter(({ outcome, message }) => outcome === 'delivered' && message.failing);
    if (recovered.length > 0) {
      await this.results.noteSuccesses(recovered.map(({ message }) => message));
      // A pause may have ended, so other messages may go now.
      this.ring.schedule(0);
    }
    if (failures.length === 0) return;
    const hopeless = await this.results.noteFailures(talliesOf(results));
    for (const target of hopeless) await this.disabler.disable(target, 'failing');
    const gone = new Map(
      failures.flatMap(({ outcome, message }) => (outcome === 'gone' ? [[message.webhookId, message]] : [])),
    );
    for (const target of gone.values()) await this.disabler.disable(target, 'gone');
  }
}
