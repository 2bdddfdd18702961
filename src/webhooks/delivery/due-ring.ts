import { Injectable } from '@nestjs/common';
import { JobQueue } from '../../queue/index.js';
import { DELIVER_BELL } from './bells.js';

/** Later attempts are left to the sweep, whose delay of a few seconds is negligible for them. */
const HORIZON_MS = 60_000;
/** Ringing a moment early would find nothing. */
const MARGIN_MS = 5;

/** Rings when the next retry is due: one timer at a time, however many messages wait. */
@Injectable()
export class DueRing {
  /** Time of the pending ring, on the clock of `performance.now`. */
  private at = 0;

  constructor(private readonly queue: JobQueue) {}

  schedule(delayMs: number): void {
    if (delayMs > HORIZON_MS) return;
    const now = performance.now();
    const at = now + delayMs + MARGIN_MS;
    if (this.at > now && this.at <= at) return;
    this.at = at;
    this.queue.ring(DELIVER_BELL, delayMs + MARGIN_MS);
  }
}
