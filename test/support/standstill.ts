const EVERY_MS = 20;
/** A loop that comes so late is busy; later, the process stood still. */
const BUSY_MS = 200;

/**
 * How long this process has stood still since `watch`, all together: what is to be over in so many milliseconds, and runs in it,
 * may take so much longer on a machine that halts processes.
 */
export class Standstill {
  private stoodMs = 0;
  private last = performance.now();
  private readonly timer = setInterval(() => this.look(), EVERY_MS);

  static watch(): Standstill {
    return new Standstill();
  }

  get ms(): number {
    this.look();
    return this.stoodMs;
  }

  stop(): void {
    clearInterval(this.timer);
  }

  private look(): void {
    const now = performance.now();
    if (now - this.last > BUSY_MS) this.stoodMs += now - this.last;
    this.last = now;
  }
}

/** What `work` comes to, and for how long this process stood still meanwhile. */
export async function withStandstill<T>(work: () => Promise<T>): Promise<{ result: T; stoodStillMs: number }> {
  const standstill = Standstill.watch();
  try {
    const result = await work();
    return { result, stoodStillMs: standstill.ms };
  } finally {
    standstill.stop();
  }
}
