const EVERY_MS = 20;
/** A timer up to this late means a busy event loop; later than that, the process was halted. */
const BUSY_MS = 200;

/**
 * How long this process has been halted since `watch`, in total: on a machine that halts processes, a time limit for
 * work in this process may be exceeded by that much.
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

/** The result of `work`, and how long this process was halted meanwhile. */
export async function withStandstill<T>(work: () => Promise<T>): Promise<{ result: T; stoodStillMs: number }> {
  const standstill = Standstill.watch();
  try {
    const result = await work();
    return { result, stoodStillMs: standstill.ms };
  } finally {
    standstill.stop();
  }
}
