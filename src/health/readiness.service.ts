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
  /** Impairments that do not keep requests from being served. */
  degraded: string[];
}

const PATIENCE_MS = 3_000;
/** Short, because load balancers have short timeouts: a hanging Redis or signer must not make the instance look down. */
const BESIDE_PATIENCE_MS = 300;

/** Decides whether this instance is ready. */
@Injectable()
export class ReadinessService {
  private checking: Promise<Readiness> | null = null;

  constructor(
    private readonly database: ReadinessRepository,
    private readonly queue: JobQueue,
    private readonly clock: Clock,
    private readonly drain: Drain,
    private readonly opening: Opening,
    @Optional() @Inject(SIGNER_CALLS) private readonly signer: SignerCalls | null = null,
  ) {}

  /** Concurrent checks share one, so that callers cannot use up connections. */
  async check(): Promise<Readiness> {
    if (this.drain.isDraining) return { ready: false, reasons: ['The instance is about to stop.'], degraded: [] };
    return (this.checking ??= this.checkAll().finally(() => (this.checking = null)));
  }

  private async checkAll(): Promise<Readiness> {
    const [reasons, degraded] = await Promise.all([
      found(
        reason('The database does not answer.', () => this.checkState()),
        reason('The schema of the database cannot be read.', () => this.checkSchema()),
      ),
      // Only degraded, since Redis is down for all instances: each counts rate limits alone, and the sweep finds work
      // without rings. Without Redis, the queue is in this process and always reachable.
      found(
        reason('Redis does not answer.', () => this.checkQueue(), BESIDE_PATIENCE_MS),
        // Only degraded: only wallets need the signer, and a new one is being started.
        reason('The signer does not answer.', () => this.checkSigner(), BESIDE_PATIENCE_MS),
      ),
    ]);
    const { reason: unopened } = this.opening;
    if (unopened !== null) reasons.push(unopened);
    return { ready: reasons.length === 0, reasons, degraded };
  }

  private async checkQueue(): Promise<string | null> {
    return (await this.queue.takesRings()) ? null : 'Redis takes no writes.';
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
    if (isReadOnly) return 'The database takes no writes.';
    return (await this.database.lacksRoom()) ? 'The disk of the database is full.' : null;
  }

  private async checkSchema(): Promise<string | null> {
    const pending = await this.database.pendingMigrations();
    return pending.length > 0 ? `Migrations are pending: ${pending.length}.` : null;
  }
}

/** The reason returned by a check, or `failure` if it fails or times out; details are left to the log and the doctor. */
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
