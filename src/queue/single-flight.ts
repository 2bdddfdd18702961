import { Logger } from '@nestjs/common';
import { withoutCause } from '../common/cause.js';
import type { JobHandler } from './job-queue.js';

/** Runs a handler at most once at a time; asked while running, it runs once more afterwards. */
export class SingleFlight {
  private readonly log = new Logger('Jobs');
  private running: Promise<boolean> | null = null;
  private again = false;
  /** Since the start of the process. */
  runs = 0;
  failures = 0;

  constructor(
    private readonly bell: string,
    private readonly handler: JobHandler,
  ) {}

  /** Whether a run is under way, which a ring is then a part of. */
  get isRunning(): boolean {
    return this.running !== null;
  }

  /** @returns whether the handler did its work, every time that it was asked to */
  run(): Promise<boolean> {
    if (this.running) {
      this.again = true;
      return this.running;
    }
    return (this.running = withoutCause(() => this.loop()));
  }

  /** Settles when nothing runs. */
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
        // The work stays due in PostgreSQL; the next sweep asks again.
        this.log.error(`${this.bell}: ${error instanceof Error ? error.stack : String(error)}`);
      }
    } while (this.again);
    // In the same turn as the decision to end: a ring between the two would be taken for one that this run still serves.
    this.running = null;
    return this.failures === before;
  }
}
