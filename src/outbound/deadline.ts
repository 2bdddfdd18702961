/**
 * Calls `late` once after the given milliseconds, unless cleared. After a stall, from garbage collection or CPU starvation,
 * timers would fire before input that arrived in time is read. So the call is deferred with `setImmediate`, which runs
 * after polling for input.
 */
export class Deadline {
  private readonly timer: NodeJS.Timeout;
  private lastLook: NodeJS.Immediate | undefined;

  constructor(ms: number, late: () => void) {
    this.timer = setTimeout(() => {
      this.lastLook = setImmediate(late);
    }, ms);
  }

  clear(): void {
    clearTimeout(this.timer);
    clearImmediate(this.lastLook);
  }
}
