import type { DashboardPrincipal } from './principal.js';
import type { Role } from './roles.js';

export type EnvironmentKind = 'sandbox' | 'live' | 'console';

/** The data of an environment that the guard needs. */
export interface TenantEnvironment {
  id: string;
  kind: EnvironmentKind;
  /** Null for the console environment, which belongs to the deployment. */
  organizationId: string | null;
  /** Whether single sign-on is mandatory for some email domains, which are listed in its setups. */
  enforcesSso: boolean;
}

/** The role of a member in an organization, and the kinds of second factors that the organization allows. */
export interface TenantMembership {
  role: Role;
  factors: readonly string[];
}

/** What the guard needs to know about tenants. Implemented by the organizations context. */
export abstract class TenantDirectory {
  /** May be up to one second old; synchronous if cached. */
  abstract findEnvironment(id: string): TenantEnvironment | Promise<TenantEnvironment | null>;
  /** The environment that the guard found for a call in progress, without waiting; null if not cached. */
  abstract knownEnvironment(id: string): TenantEnvironment | null;
  abstract findMembership(userId: string, organizationId: string): Promise<TenantMembership | null>;
  /** The console environment, whose users are the members of organizations. */
  abstract consoleEnvironmentId(): Promise<string>;
}

/**
 * Finds the tenant of a record whose path names no environment, among the caller's tenants: the environment of a token, or
 * those of a member's organizations. Contexts provide one for each kind of such records.
 */
export abstract class OwnerResolver {
  abstract findOwner(
    id: string,
    caller: DashboardPrincipal,
  ): Promise<{ environmentId: string } | { organizationId: string } | null>;
}
