/** Registers something to be stopped, and returns it. */
export interface Closer {
  add<T extends { stop(): Promise<void> }>(started: T): T;
}

/** Stops what a fault started, in reverse order. Interruptions are handled by the run, which calls this. */
export class Closing implements Closer {
  private readonly steps: (() => Promise<void>)[] = [];
  private running: Promise<void> | null = null;

  add<T extends { stop(): Promise<void> }>(started: T): T {
    this.steps.push(() => started.stop());
    return started;
  }

  /** Runs once, however often it is called. */
  run(): Promise<void> {
    return (this.running ??= this.stopAll());
  }

  private async stopAll(): Promise<void> {
    for (let step = this.steps.pop(); step; step = this.steps.pop()) {
      await step().catch((error: Error) => console.error(`Cleaning up: ${error.message}`));
    }
  }
}
