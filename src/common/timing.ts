import { Injectable } from '@nestjs/common';

/**
 * How long the service waits where nobody waits for it: between sweeps, for leases, before it looks again. One factor for
 * all of them, so that tests live through an hour in minutes; in production it is 1.
 */
@Injectable()
export class Timing {
  constructor(private readonly scale = 1) {}

  /** Milliseconds, at least one. */
  ms(duration: number): number {
    return Math.max(1, Math.round(duration * this.scale));
  }
}
