import { Injectable } from '@nestjs/common';
import { Clock } from '../common/clock.js';
import { JobQueue } from '../queue/index.js';
import { clockSkewMs, MAX_SKEW_MS } from './clock-skew.js';
import { ReadinessRepository } from './readiness.repository.js';

/** Why this instance should get no requests; empty when it should. */
export interface Readiness {
  ready: boolean;
  reasons: string[];
}

const PATIENCE_MS = 3_000;

/** Decides whether this instance can do its work: what a balancer asks. */
@Injectable()
export class ReadinessService {
  constructor(
    private readonly database: ReadinessRepository,
    private readonly queue: JobQueue,
    private readonly clock: Clock,
  ) {}

  async check(): Promise<Readiness> {
    const found = await Promise.all([
      reason('The database does not answer.', () => this.checkClock()),
      reason('The schema of the database cannot be read.', () => this.checkSchema()),
      // Without Redis configured the queue is in this process and always within reach.
      reason('Redis does not answer.', () => this.queue.assertReachable().then(() => null)),
    ]);
    const reasons = found.filter((text) => text !== null);
    return { ready: reasons.length === 0, reasons };
  }

  private async checkClock(): Promise<string | null> {
    const askedAt = this.clock.now();
    const skewMs = Math.abs(clockSkewMs(await this.database.databaseTime(), askedAt, this.clock.now()));
    return skewMs > MAX_SKEW_MS ? `The clock differs from the database's by ${Math.round(skewMs / 1000)} s.` : null;
  }

  private async checkSchema(): Promise<string | null> {
    const pending = await this.database.pendingMigrations();
    return pending.length > 0 ? `Migrations are pending: ${pending.length}.` : null;
  }
}

/** The reason a check gives, or `failure` when it fails or takes too long; what went wrong is for the log and doctor. */
async function reason(failure: string, check: () => Promise<string | null>): Promise<string | null> {
  const { promise: late, resolve } = Promise.withResolvers<string>();
  const timer = setTimeout(() => resolve(failure), PATIENCE_MS);
  try {
    return await Promise.race([check(), late]);
  } catch {
    return failure;
  } finally {
    clearTimeout(timer);
  }
}
