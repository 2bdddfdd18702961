/** Remembers how to stop what was started; answers it. */
export interface Closer {
  add<T extends { stop(): Promise<void> }>(started: T): T;
}

/** Stops what one fault started, the last first. Interruptions are the business of the run, which asks this to run. */
export class Closing implements Closer {
  private readonly steps: (() => Promise<void>)[] = [];
  private running: Promise<void> | null = null;

  add<T extends { stop(): Promise<void> }>(started: T): T {
    this.steps.push(() => started.stop());
    return started;
  }

  /** Once, however often it is asked for. */
  run(): Promise<void> {
    return (this.running ??= this.stopAll());
  }

  private async stopAll(): Promise<void> {
    for (let step = this.steps.pop(); step; step = this.steps.pop()) {
      await step().catch((error: Error) => console.error(`Cleaning up: ${error.message}`));
    }
  }
}
