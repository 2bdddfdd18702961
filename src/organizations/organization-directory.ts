import { Injectable } from '@nestjs/common';
import { leastRecent } from '../common/least-recent.js';
import { TenantDirectory, type TenantEnvironment, type TenantMembership } from '../auth/index.js';
import { EnvironmentsProvisioner } from './environments/environments-provisioner.js';
import { EnvironmentsRepository } from './environments/environments.repository.js';
import { MembersRepository } from './members/members.repository.js';
import { RecentLookups } from '../common/recent-lookups.js';
import { JoinedLookups } from './joined-lookups.js';

const MAX_ENVIRONMENTS = 10_000;
const MAX_AGE_MS = 1_000;
const MAX_UNKNOWN = 10_000;
const UNKNOWN_MS = 10_000;

/** What the guard looks up about tenants on every call. */
@Injectable()
export class OrganizationDirectory extends TenantDirectory {
  private readonly recent: RecentLookups<string, TenantEnvironment>;
  private readonly lastKnown = leastRecent<string, TenantEnvironment>(MAX_ENVIRONMENTS);

  /**
   * Ids are made by the service and never reused: an unknown one will not become an environment later, unless one is
   * moved here, and by then this entry has expired.
   */
  private readonly unknown = leastRecent<string, true>(MAX_UNKNOWN, { ttl: UNKNOWN_MS });
  private readonly joined: JoinedLookups<string, TenantEnvironment>;

  constructor(
    environments: EnvironmentsRepository,
    private readonly members: MembersRepository,
    private readonly provisioner: EnvironmentsProvisioner,
  ) {
    super();
    this.joined = new JoinedLookups((ids) => environments.findTenants(ids));
    this.recent = new RecentLookups({ max: MAX_ENVIRONMENTS, ttlMs: MAX_AGE_MS, find: (id) => this.lookUp(id) });
  }

  /**
   * At most one second old while the database is reachable. During an outage, a known environment stays known, so that
   * its health check can report what is wrong; anything that needs rows fails on its own.
   */
  override findEnvironment(id: string): TenantEnvironment | Promise<TenantEnvironment | null> {
    const found = this.recent.get(id);
    return found instanceof Promise ? found.catch((error: unknown) => this.knownBefore(id, error)) : found;
  }

  override knownEnvironment(id: string): TenantEnvironment | null {
    return this.lastKnown.get(id) ?? null;
  }

  /** Not cached: a membership change takes effect on the next call. */
  override findMembership(userId: string, organizationId: string): Promise<TenantMembership | null> {
    return this.members.findMembership(userId, organizationId);
  }

  override consoleEnvironmentId(): Promise<string> {
    return this.provisioner.ensureConsole();
  }

  /** Caches an environment that a token look-up has read, which saves the guard a statement. */
  remember(environment: TenantEnvironment): void {
    this.recent.remember(environment.id, environment);
    this.lastKnown.set(environment.id, environment);
  }

  /** Makes the next call look it up again, on this instance. */
  forget(environmentId: string): void {
    this.recent.forget(environmentId);
    this.lastKnown.delete(environmentId);
  }

  private knownBefore(id: string, error: unknown): TenantEnvironment {
    const known = this.lastKnown.get(id);
    if (known) return known;
    throw error;
  }

  private async lookUp(id: string): Promise<TenantEnvironment | null> {
    if (this.unknown.has(id)) return null;
    const environment = await this.joined.find(id);
    if (environment) {
      this.lastKnown.set(id, environment);
    } else {
      this.lastKnown.delete(id);
      this.unknown.set(id, true);
    }
    return environment;
  }
}
