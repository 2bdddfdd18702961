import { InjectQueue } from '@nestjs/bull';
import { Injectable, Logger } from '@nestjs/common';
import type { Queue } from 'bull';
import { figuresOf, JobQueue, type JobFigures, type JobHandler } from './job-queue.js';
import { SingleFlight } from './single-flight.js';

export const DOORBELL = 'doorbell';

/** Rings of one bell within this time are one job: a burst of commits wakes a worker once. */
const GATHER_MS = 2;
/** Connections to Redis are broken off when they have not ended by themselves after this long. */
const CLOSE_MS = 2_500;
/** With so many rings under way, Redis is away or so slow that the sweep is as good. */
const MAX_UNANSWERED = 100;

/**
 * Rings across instances through Bull on Redis. Jobs are never the record of anything: a job that is lost, stalls or
 * fails costs delay until the next sweep, so jobs carry no data and are removed as soon as they end.
 */
@Injectable()
export class BullQueue extends JobQueue {
  private readonly log = new Logger('Queue');
  private readonly bells = new Map<string, SingleFlight>();
  private readonly gathering = new Map<string, NodeJS.Timeout>();
  private closed = false;
  private unanswered = 0;

  constructor(@InjectQueue(DOORBELL) private readonly queue: Queue) {
    super();
    queue.on('error', (error: Error) => this.log.warn(`Redis: ${error.message}`));
    // Promises that Bull never looks at, and that would end the process when the connection closes before they are kept:
    // that of the name of its connection, which waits five seconds behind a blocking command, and that of connecting once
    // more to wait for jobs under way. Ours are done before they are under way.
    Object.assign(queue, { setWorkerName: () => Promise.resolve(), whenCurrentJobsFinished: () => Promise.resolve() });
    // The module of Bull closes it as well. What its connections say on their way out must not fail the shutdown.
    const close = queue.close.bind(queue);
    queue.close = (...how) => this.closeInTime(close(...how));
  }

  override handle(bell: string, handler: JobHandler): void {
    const flight = new SingleFlight(bell, handler);
    this.bells.set(bell, flight);
    // The job ends at once: the handler's own loop does the work, and nothing in Redis waits for it.
    this.queue
      .process(bell, 1, () => {
        void flight.run();
        return Promise.resolve();
      })
      .catch((error: Error) => {
        // Closing ends the promise of work that has not begun to wait yet.
        if (!this.closed) this.log.error(`${bell} is not answered: ${error.message}`);
      });
  }

  override ring(bell: string, delayMs = 0): void {
    if (this.closed) return;
    const flight = this.bells.get(bell);
    // A process that answers the bell hears itself ring; Redis carries rings to those that cannot.
    if (flight && delayMs <= 0) return void setImmediate(() => void (this.closed || flight.run()));
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

  override figures(): JobFigures[] {
    return figuresOf(this.bells);
  }

  override async close(): Promise<void> {
    this.closed = true;
    for (const timer of this.gathering.values()) clearTimeout(timer);
    await Promise.all([...this.bells.values()].map((bell) => bell.idle()));
    await this.queue.close();
  }

  override async assertReachable(): Promise<void> {
    const { client } = this.queue;
    // A command would wait for the connection to come back.
    if (client.status !== 'ready') throw new Error(`The connection to Redis is ${client.status}.`);
    await client.ping();
  }

  /** Closing waits for Redis to answer, which it may never do: a stop while it is away takes no longer than another. */
  private async closeInTime(closing: Promise<void>): Promise<void> {
    const closed = closing.catch((error: Error) => this.log.warn(`closing: ${error.message}`));
    const late = setTimeout(() => {
      for (const client of this.queue.clients) client.disconnect();
    }, CLOSE_MS);
    await closed.finally(() => clearTimeout(late));
  }

  /** Rings that Redis has not taken are kept in memory until the client gives them up, so there are few of them. */
  private add(bell: string, delay: number): void {
    if (this.unanswered >= MAX_UNANSWERED) return;
    this.unanswered++;
    this.queue
      .add(bell, {}, { delay, attempts: 1, removeOnComplete: true, removeOnFail: true })
      .catch((error: Error) =>
        this.log.warn(`A ring of ${bell} was lost (${error.message}); the sweep will find the work.`),
      )
      .finally(() => void this.unanswered--);
  }
}
