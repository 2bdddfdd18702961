import { Injectable } from '@nestjs/common';
import { Bells } from './bells.js';
import { JobQueue, type JobFigures, type JobHandler } from './job-queue.js';

/** Rings inside one process: for a single instance without Redis. */
@Injectable()
export class InProcessQueue extends JobQueue {
  private readonly bells = new Bells();
  private readonly timers = new Set<NodeJS.Timeout>();
  private closed = false;

  override handle(bell: string, handler: JobHandler): void {
    this.bells.add(bell, handler);
  }

  override ring(bell: string, delayMs = 0): void {
    if (this.closed) return;
    if (delayMs <= 0) {
      setImmediate(() => void (this.closed || this.bells.run(bell)));
      return;
    }
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      void this.bells.run(bell);
    }, delayMs).unref();
    this.timers.add(timer);
  }

  override run(bell: string): Promise<boolean> {
    return this.bells.run(bell);
  }

  override answer(bell: string): Promise<boolean> {
    return this.bells.answer(bell);
  }

  override figures(): JobFigures[] {
    return this.bells.figures();
  }

  override rest(): Promise<void> {
    return this.bells.rest();
  }

  override async close(): Promise<void> {
    this.closed = true;
    for (const timer of this.timers) clearTimeout(timer);
    await this.bells.rest();
  }

  override takesRings(): Promise<boolean> {
    return Promise.resolve(true);
  }
}
