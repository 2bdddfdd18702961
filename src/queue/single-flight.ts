import { Logger } from '@nestjs/common';
import { withoutCause } from '../common/cause.js';
import type { JobHandler } from './job-queue.js';

/** Runs a handler at most once at a time; a call while it is running makes it run once more afterwards. */
export class SingleFlight {
  private readonly log = new Logger('Jobs');
  private running: Promise<boolean> | null = null;
  private again = false;
  /** The number of runs since the process started. */
  runs = 0;
  failures = 0;

  constructor(
    private readonly bell: string,
    private readonly handler: JobHandler,
  ) {}

  /** Whether a run is in progress, which further rings then join. */
  get isRunning(): boolean {
    return this.running !== null;
  }

  /** @returns whether every run of the handler succeeded */
  run(): Promise<boolean> {
    if (this.running) {
      this.again = true;
      return this.running;
    }
    return (this.running = withoutCause(() => this.loop()));
  }

  /** Resolves once nothing is running. */
  async idle(): Promise<void> {
    await this.running;
  }

  private async loop(): Promise<boolean> {
    const before = this.failures;
    do {
      this.again = false;
      this.runs++;
      try {
        await this.handler();
      } catch (error) {
        this.failures++;
        // The work stays due in PostgreSQL; the next sweep retries it.
        this.log.error(`${this.bell}: ${error instanceof Error ? error.stack : String(error)}`);
      }
    } while (this.again);
    // In the same tick as the decision to end: a ring in between would be lost, as this run would seem to serve it.
    this.running = null;
    return this.failures === before;
  }
}
