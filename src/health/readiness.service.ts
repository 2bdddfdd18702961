import { Inject, Injectable, Optional } from '@nestjs/common';
import { Clock } from '../common/clock.js';
import { Drain } from '../common/http/drain.js';
import { JobQueue } from '../queue/index.js';
import { SIGNER_CALLS, type SignerCalls } from '../vault/index.js';
import { clockSkewMs, MAX_SKEW_MS } from './clock-skew.js';
import { Opening } from './opening.js';
import { ReadinessRepository } from './readiness.repository.js';

export interface Readiness {
  ready: boolean;
  /** Why this instance should get no requests; empty when it should. */
  reasons: string[];
  /** What is worse than usual while requests are answered all the same. */
  degraded: string[];
}

const PATIENCE_MS = 3_000;
/** Balancers ask often and wait little: a Redis or signer that hangs must not make them believe that the instance does. */
const BESIDE_PATIENCE_MS = 300;

/** Decides whether this instance can do its work: what a balancer asks. */
@Injectable()
export class ReadinessService {
  constructor(
    private readonly database: ReadinessRepository,
    private readonly queue: JobQueue,
    private readonly clock: Clock,
    private readonly drain: Drain,
    private readonly opening: Opening,
    @Optional() @Inject(SIGNER_CALLS) private readonly signer: SignerCalls | null = null,
  ) {}

  async check(): Promise<Readiness> {
    if (this.drain.isDraining) return { ready: false, reasons: ['The instance is about to stop.'], degraded: [] };
    const [reasons, degraded] = await Promise.all([
      found(
        reason('The database does not answer.', () => this.checkState()),
        reason('The schema of the database cannot be read.', () => this.checkSchema()),
      ),
      // No reason to send requests elsewhere, where Redis is away as well: limits are counted by each instance, and the
      // sweep finds what no ring announced. Without Redis configured the queue is in this process and within reach.
      found(
        reason('Redis does not answer.', () => this.queue.assertReachable().then(() => null), BESIDE_PATIENCE_MS),
        // Wallets alone need it, and a balancer cannot mend it: another one is being started.
        reason('The signer does not answer.', () => this.checkSigner(), BESIDE_PATIENCE_MS),
      ),
    ]);
    const { reason: unopened } = this.opening;
    if (unopened !== null) reasons.push(unopened);
    return { ready: reasons.length === 0, reasons, degraded };
  }

  private async checkSigner(): Promise<null> {
    await this.signer?.assertReachable();
    return null;
  }

  private async checkState(): Promise<string | null> {
    const askedAt = this.clock.now();
    const { now, isReadOnly } = await this.database.state();
    const skewMs = Math.abs(clockSkewMs(now, askedAt, this.clock.now()));
    if (skewMs > MAX_SKEW_MS) return `The clock differs from the database's by ${Math.round(skewMs / 1000)} s.`;
    return isReadOnly ? 'The database takes no writes.' : null;
  }

  private async checkSchema(): Promise<string | null> {
    const pending = await this.database.pendingMigrations();
    return pending.length > 0 ? `Migrations are pending: ${pending.length}.` : null;
  }
}

/** The reason a check gives, or `failure` when it fails or takes too long; what went wrong is for the log and doctor. */
async function reason(
  failure: string,
  check: () => Promise<string | null>,
  patienceMs = PATIENCE_MS,
): Promise<string | null> {
  const { promise: late, resolve } = Promise.withResolvers<string>();
  const timer = setTimeout(() => resolve(failure), patienceMs);
  try {
    return await Promise.race([check(), late]);
  } catch {
    return failure;
  } finally {
    clearTimeout(timer);
  }
}

const found = async (...reasons: Promise<string | null>[]): Promise<string[]> =>
  (await Promise.all(reasons)).filter((text) => text !== null);
