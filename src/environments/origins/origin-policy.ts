import { Injectable } from '@nestjs/common';
import { TenantDirectory } from '../../auth/index.js';
import { RecentLookups } from '../../common/recent-lookups.js';
import { matchesOrigin } from './origin-match.js';
import { OriginsRepository } from './origins.repository.js';

const MAX_ENVIRONMENTS = 10_000;
const MAX_AGE_MS = 1_000;
const MAX_ORIGIN_LENGTH = 512;

/** The sites from which browsers may call an environment. */
@Injectable()
export class OriginPolicy {
  private readonly patterns: RecentLookups<string, string[]>;

  constructor(
    origins: OriginsRepository,
    private readonly tenants: TenantDirectory,
  ) {
    this.patterns = new RecentLookups({
      max: MAX_ENVIRONMENTS,
      ttlMs: MAX_AGE_MS,
      find: (environmentId) => origins.listPatterns(environmentId),
    });
  }

  /**
   * Whether the `Origin` header of a browser matches a registered site of the environment. Plain http on the
   * developer's own machine counts in a sandbox only. An environment without registered sites allows none.
   */
  async allows(environmentId: string, origin: string): Promise<boolean> {
    if (origin.length > MAX_ORIGIN_LENGTH) return false;
    const environment = await this.tenants.findEnvironment(environmentId);
    if (!environment) return false;
    const patterns = await this.list(environmentId);
    if (!patterns.some((pattern) => matchesOrigin(pattern, origin))) return false;
    return !origin.startsWith('http:') || environment.kind === 'sandbox';
  }

  /** Registered origins, oldest first. The array is shared between callers, who must not change it. */
  async list(environmentId: string): Promise<readonly string[]> {
    return (await this.patterns.get(environmentId)) ?? [];
  }

  /** Makes a change on this instance effective at once; other instances see it within a second. */
  forget(environmentId: string): void {
    this.patterns.forget(environmentId);
  }
}
