import { InjectQueue } from '@nestjs/bull';
import { Injectable, Logger } from '@nestjs/common';
import type { Queue } from 'bull';
import { ReplyError } from 'ioredis';
import { leastRecent } from '../common/least-recent.js';
import { closeInTime, keepPromises } from '../patches/index.js';
import { Bells } from './bells.js';
import { DOORBELL } from './doorbell.processor.js';
import { JobQueue, type JobFigures, type JobHandler } from './job-queue.js';
import { tryRing } from './ring-trial.js';

/** Milliseconds in which rings of one bell are combined into one job, so that a burst of commits wakes a worker once. */
const GATHER_MS = 2;
/** Retries of a failed ring, with exponential backoff. */
const REDELIVERY = { attempts: 5, backoff: { type: 'exponential', delay: 500 } } as const;
/** A problem with Redis that goes on is logged once in so many milliseconds, not at each attempt of each connection. */
const SAID_AGAIN_MS = 60_000;
/** With this many pending rings, Redis is down or so slow that the sweep is as good. */
const MAX_UNANSWERED = 100;

/**
 * Rings across instances through Bull on Redis. Jobs are never the record of anything: a lost job only means a delay until
 * the next sweep, so jobs have no data and are removed when they end.
 */
@Injectable()
export class BullQueue extends JobQueue {
  private readonly log = new Logger('Queue');
  private readonly bells = new Bells();
  private readonly gathering = new Map<string, NodeJS.Timeout>();
  private closed = false;
  private unanswered = 0;
  private readonly complaints = leastRecent<string, true>(20, { ttl: SAID_AGAIN_MS });

  constructor(@InjectQueue(DOORBELL) private readonly queue: Queue) {
    super();
    // Bull emits no error object for a connection that was closed on purpose.
    queue.on('error', (error?: Error) => error && this.complain(error.message));
    keepPromises(queue);
    closeInTime(queue, (error) => this.log.warn(`closing: ${error.message}`));
  }

  override handle(bell: string, handler: JobHandler): void {
    this.bells.add(bell, handler);
  }

  override ring(bell: string, delayMs = 0): void {
    if (this.closed) return;
    // A process that handles the bell is rung directly; Redis is only needed to reach other processes.
    if (delayMs <= 0 && this.bells.has(bell))
      return void setImmediate(() => void (this.closed || this.bells.run(bell)));
    if (delayMs > 0) return this.add(bell, delayMs);
    if (this.gathering.has(bell)) return;
    this.gathering.set(
      bell,
      setTimeout(() => {
        this.gathering.delete(bell);
        this.add(bell, 0);
      }, GATHER_MS),
    );
  }

  override run(bell: string): Promise<boolean> {
    return this.bells.run(bell);
  }

  override answer(bell: string): Promise<boolean> {
    // Another instance, or this one after a restart, gets it then.
    return this.closed ? Promise.resolve(false) : this.bells.answer(bell);
  }

  override figures(): JobFigures[] {
    return this.bells.figures();
  }

  override rest(): Promise<void> {
    return this.bells.rest();
  }

  override async close(): Promise<void> {
    this.closed = true;
    for (const timer of this.gathering.values()) clearTimeout(timer);
    await this.bells.rest();
    await this.queue.close();
  }

  override async takesRings(): Promise<boolean> {
    const { client } = this.queue;
    // A command would wait for the connection to be restored.
    if (client.status !== 'ready') throw new Error(`The connection to Redis is ${client.status}.`);
    try {
      await tryRing(client);
      return true;
    } catch (error) {
      if (!(error instanceof ReplyError)) throw error;
      this.complain((error as Error).message);
      return false;
    }
  }

  private complain(problem: string): void {
    if (this.complaints.has(problem)) return;
    this.complaints.set(problem, true);
    this.log.warn(`Redis: ${problem}`);
  }

  /** Rings not yet accepted by Redis are kept in memory until the client gives up, so their number is limited. */
  private add(bell: string, delay: number): void {
    if (this.unanswered >= MAX_UNANSWERED) return;
    this.unanswered++;
    this.queue
      .add(bell, {}, { delay, ...REDELIVERY, removeOnComplete: true, removeOnFail: true })
      .catch((error: Error) => this.complain(`wake-ups are lost (${error.message}); the sweep will find the work.`))
      .finally(() => void this.unanswered--);
  }
}
