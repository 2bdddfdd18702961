/** Stops what was started, in reverse order, also when the program is interrupted. */
export class Cleanup {
  private readonly steps: (() => Promise<void>)[] = [];
  private running: Promise<void> | null = null;

  constructor() {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.once(signal, () => void this.run().finally(() => process.exit(1)));
    }
    process.once('uncaughtException', (error) => {
      console.error(error);
      void this.run().finally(() => process.exit(1));
    });
  }

  /** Registers something to be stopped, and returns it. */
  add<T extends { stop(): Promise<void> }>(started: T): T {
    this.steps.push(() => started.stop());
    return started;
  }

  run(): Promise<void> {
    return (this.running ??= this.stopAll());
  }

  private async stopAll(): Promise<void> {
    for (let step = this.steps.pop(); step; step = this.steps.pop()) {
      await step().catch((error: Error) => console.error(`Cleaning up: ${error.message}`));
    }
  }
}
