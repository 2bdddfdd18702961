import { Injectable } from '@nestjs/common';

/**
 * Scales the service's background waits: between sweeps, for leases, before retries. One factor for all, so that tests run
 * through an hour in minutes; in production it is 1.
 */
@Injectable()
export class Timing {
  constructor(private readonly scale = 1) {}

  /** Milliseconds, at least one. */
  ms(duration: number): number {
    return Math.max(1, Math.round(duration * this.scale));
  }
}
