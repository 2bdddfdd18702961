import type { Role } from './roles.js';
import type { TokenScope } from './token-scopes.js';

/**
 * What a short token is for: a user's own embedded wallets, those with shared keys alone, backups of the shares of these,
 * or what an application's server does with wallets.
 */
export type ServiceAudience = 'wallets' | 'mpc' | 'backup' | 'waas';

/** An application's server with an API token of one environment. */
export interface EnvironmentTokenPrincipal {
  kind: 'environmentToken';
  tokenId: string;
  environmentId: string;
  scopes: readonly TokenScope[];
  /** The dashboard user who made the token. */
  createdBy: string;
  /** How far it reaches, whatever its scopes: the role of whoever made it. */
  role: Role;
  /** The one service that a token is for which the API token was exchanged for; absent for the API token itself. */
  audience?: ServiceAudience;
}

/** A member of organizations: a user of the console environment, by personal token or by a session of the console. */
export interface DashboardUserPrincipal {
  kind: 'dashboardUser';
  userId: string;
  consoleEnvironmentId: string;
  /** The personal token used; null for a console session. */
  tokenId: string | null;
  /** The console session; absent for a personal token. */
  sessionId?: string;
  /** How the session was proven (RFC 8176); absent for a personal token. */
  amr?: readonly string[];
  /** The role in the organization of the route; null on routes of no organization. */
  role: Role | null;
}

/**
 * How a token stands to those of its session: the newest; replaced a moment ago, as two tabs of one client do; replaced,
 * and good for other tabs for a while; or used up. One that was `cut` can be exchanged, and says more than its user has.
 */
export type TokenUse = 'current' | 'cut' | 'just-replaced' | 'replaced' | 'spent';

/** An end user of an environment, proven by a token of a live session. */
export interface EndUserPrincipal {
  kind: 'endUser';
  environmentId: string;
  userId: string;
  sessionId: string;
  /** Permissions in the token (RFC 8693 §4.2). */
  scopes: readonly string[];
  /** Id of the token presented (RFC 7519 §4.1.7). */
  tokenId: string;
  /** What stands in `x-elevated-access-token`, unchecked. */
  elevatedToken?: string;
  /** The one service that the token is for; absent for tokens of the session. */
  audience?: ServiceAudience;
  tokenUse: TokenUse;
}

export interface AnonymousPrincipal {
  kind: 'anonymous';
}

export type DashboardPrincipal = EnvironmentTokenPrincipal | DashboardUserPrincipal;
export type Principal = DashboardPrincipal | EndUserPrincipal | AnonymousPrincipal;
