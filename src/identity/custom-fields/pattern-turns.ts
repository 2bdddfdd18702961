/**
 * Work by all requests between two turns of the event loop, in instructions times characters: a few milliseconds. A
 * larger match gets a turn of its own.
 */
export const WORK_OF_A_TURN = 10_000;

interface Waiting {
  work: number;
  resolve: () => void;
}

/**
 * Interleaves matches of tenants' patterns with the process's other work. Without it, twenty requests with costly
 * patterns would run as one long turn, in which no other request is served.
 */
export class PatternTurns {
  private readonly waiting: Waiting[] = [];
  private done = 0;
  private isScheduled = false;

  /** Undefined if the work may be done at once. */
  take(work: number): Promise<void> | undefined {
    this.schedule();
    if (this.waiting.length === 0 && this.done + work <= WORK_OF_A_TURN) {
      this.done += work;
      return undefined;
    }
    return new Promise((resolve) => this.waiting.push({ work, resolve }));
  }

  private schedule(): void {
    if (this.isScheduled) return;
    this.isScheduled = true;
    setImmediate(() => this.begin());
  }

  private begin(): void {
    this.isScheduled = false;
    this.done = 0;
    for (let next = this.waiting[0]; next; next = this.waiting[0]) {
      if (this.done > 0 && this.done + next.work > WORK_OF_A_TURN) break;
      this.done += next.work;
      this.waiting.shift();
      next.resolve();
    }
    if (this.done > 0) this.schedule();
  }
}
