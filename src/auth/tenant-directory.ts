import type { DashboardPrincipal } from './principal.js';
import type { Role } from './roles.js';

export type EnvironmentKind = 'sandbox' | 'live' | 'console';

/** An environment as the guard sees it. */
export interface TenantEnvironment {
  id: string;
  kind: EnvironmentKind;
  /** Null for the console environment, which belongs to the deployment. */
  organizationId: string | null;
  /** Whether people of some email domain come in by single sign-on alone; which domains, the setups say. */
  enforcesSso: boolean;
}

/** What a member may do in an organization, and the kinds of second factors that it admits. */
export interface TenantMembership {
  role: Role;
  factors: readonly string[];
}

/** What the guard must know about tenants; the organizations context answers. */
export abstract class TenantDirectory {
  /** May be up to one second old; what is known is answered at once. */
  abstract findEnvironment(id: string): TenantEnvironment | Promise<TenantEnvironment | null>;
  /** As the guard found it for a call that is going on, so that nobody waits for it again; null where no call came. */
  abstract knownEnvironment(id: string): TenantEnvironment | null;
  abstract findMembership(userId: string, organizationId: string): Promise<TenantMembership | null>;
  /** The console environment, whose users are the members of organizations. */
  abstract consoleEnvironmentId(): Promise<string>;
}

/**
 * Where a record without an environment in its path belongs, among the tenants the caller may know: the environment of
 * a token, or those of a member's organizations. Contexts provide one per such record.
 */
export abstract class OwnerResolver {
  abstract findOwner(
    id: string,
    caller: DashboardPrincipal,
  ): Promise<{ environmentId: string } | { organizationId: string } | null>;
}
