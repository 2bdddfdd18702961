import { Injectable } from '@nestjs/common';
import { JobQueue } from './job-queue.js';

/** Rings bells at an interval, on every instance that works: what a lost ring left behind is found this way. */
@Injectable()
export class Sweeper {
  private readonly timers: NodeJS.Timeout[] = [];

  constructor(private readonly queue: JobQueue) {}

  every(intervalMs: number, bell: string): void {
    this.timers.push(setInterval(() => this.queue.ring(bell), intervalMs).unref());
  }

  stop(): void {
    for (const timer of this.timers) clearInterval(timer);
  }
}
