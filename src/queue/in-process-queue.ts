import { Injectable } from '@nestjs/common';
import { figuresOf, JobQueue, type JobFigures, type JobHandler } from './job-queue.js';
import { SingleFlight } from './single-flight.js';

/** Rings inside one process: for a single instance without Redis. */
@Injectable()
export class InProcessQueue extends JobQueue {
  private readonly bells = new Map<string, SingleFlight>();
  private readonly timers = new Set<NodeJS.Timeout>();
  private closed = false;

  override handle(bell: string, handler: JobHandler): void {
    this.bells.set(bell, new SingleFlight(bell, handler));
  }

  override ring(bell: string, delayMs = 0): void {
    if (this.closed) return;
    if (delayMs <= 0) {
      setImmediate(() => void (this.closed || this.bells.get(bell)?.run()));
      return;
    }
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      void this.bells.get(bell)?.run();
    }, delayMs).unref();
    this.timers.add(timer);
  }

  override figures(): JobFigures[] {
    return figuresOf(this.bells);
  }

  override async close(): Promise<void> {
    this.closed = true;
    for (const timer of this.timers) clearTimeout(timer);
    await Promise.all([...this.bells.values()].map((bell) => bell.idle()));
  }

  override async assertReachable(): Promise<void> {}
}
