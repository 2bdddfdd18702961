import { Injectable } from '@nestjs/common';
import { RecentLookups } from '../common/recent-lookups.js';
import { HealthcheckRepository } from './healthcheck.repository.js';
import type { HealthcheckResponse } from './healthcheck.dto.js';

const MAX_AGE_MS = 1_000;
const PATIENCE_MS = 1_000;
const UNHEALTHY: HealthcheckResponse = { status: 'unhealthy' };

/** Whether this instance can serve, which depends only on the database. Checked at most once a second. */
@Injectable()
export class HealthcheckService {
  private readonly recent: RecentLookups<'database', HealthcheckResponse>;
  private asking: Promise<boolean> | null = null;

  constructor(private readonly health: HealthcheckRepository) {
    this.recent = new RecentLookups({ max: 1, ttlMs: MAX_AGE_MS, find: () => this.check() });
  }

  status(): HealthcheckResponse | Promise<HealthcheckResponse> {
    const known = this.recent.get('database');
    return known instanceof Promise ? known.then((status) => status ?? UNHEALTHY) : known;
  }

  private async check(): Promise<HealthcheckResponse> {
    // A pending check is shared, or an unresponsive database would cost a connection per second.
    this.asking ??= this.health
      .assertAnswering()
      .then(
        () => true,
        () => false,
      )
      .finally(() => (this.asking = null));
    let timer: NodeJS.Timeout | undefined;
    const tooLate = new Promise<boolean>((resolve) => {
      timer = setTimeout(resolve, PATIENCE_MS, false);
    });
    const answered = await Promise.race([this.asking, tooLate]);
    clearTimeout(timer);
    return { status: answered ? 'healthy' : 'unhealthy' };
  }
}
