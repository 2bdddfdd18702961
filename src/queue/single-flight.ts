import { Logger } from '@nestjs/common';
import type { JobHandler } from './job-queue.js';

/** Runs a handler at most once at a time; asked while running, it runs once more afterwards. */
export class SingleFlight {
  private readonly log = new Logger('Jobs');
  private running: Promise<void> | null = null;
  private again = false;

  constructor(
    private readonly bell: string,
    private readonly handler: JobHandler,
  ) {}

  run(): Promise<void> {
    if (this.running) {
      this.again = true;
      return this.running;
    }
    return (this.running = this.loop());
  }

  /** Settles when nothing runs. */
  async idle(): Promise<void> {
    await this.running;
  }

  private async loop(): Promise<void> {
    do {
      this.again = false;
      try {
        await this.handler();
      } catch (error) {
        // The work stays due in PostgreSQL; the next sweep asks again.
        this.log.error(`${this.bell}: ${error instanceof Error ? error.stack : String(error)}`);
      }
    } while (this.again);
    // In the same turn as the decision to end: a ring between the two would be taken for one that this run still serves.
    this.running = null;
  }
}
