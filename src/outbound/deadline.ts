/**
 * Calls `late` once after so many milliseconds, unless it is cleared. A process that stood still, for a collection or for
 * want of a processor, finds the time over before it has read what came meanwhile: timers run before input is polled for,
 * immediates after it. So what is there by then is read first.
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
