import type { Role } from './roles.js';
import type { TokenScope } from './token-scopes.js';

/**
 * The audience of a short-lived token: all embedded wallets of a user, only those with shared keys, backups of their key
 * shares, or the wallet operations of an application's server.
 */
export type ServiceAudience = 'wallets' | 'mpc' | 'backup' | 'waas';

/** An application's server with an API token of one environment. */
export interface EnvironmentTokenPrincipal {
  kind: 'environmentToken';
  tokenId: string;
  environmentId: string;
  scopes: readonly TokenScope[];
  /** The dashboard user who created the token. */
  createdBy: string;
  /** The role of its creator, which limits the token whatever its scopes. */
  role: Role;
  /** The audience of a short-lived token obtained with the API token; absent for the API token itself. */
  audience?: ServiceAudience;
}

/** A member of organizations: a user of the console environment, with a personal token or a console session. */
export interface DashboardUserPrincipal {
  kind: 'dashboardUser';
  userId: string;
  consoleEnvironmentId: string;
  /** The personal token used; null for a console session. */
  tokenId: string | null;
  /** The console session; absent for a personal token. */
  sessionId?: string;
  /** How the session was authenticated (RFC 8176); absent for a personal token. */
  amr?: readonly string[];
  /** The role in the organization of the route; null on routes without an organization. */
  role: Role | null;
}

/**
 * The state of a token within its session: the newest; replaced a moment ago, as happens with two tabs of one client;
 * replaced, but still valid for other tabs for a while; or spent. A `cut` token claims more than its user has by now, and
 * can only be exchanged.
 */
export type TokenUse = 'current' | 'cut' | 'just-replaced' | 'replaced' | 'spent';

/** An end user of an environment, authenticated by a token of an active session. */
export interface EndUserPrincipal {
  kind: 'endUser';
  environmentId: string;
  userId: string;
  sessionId: string;
  /** Permissions in the token (RFC 8693 §4.2). */
  scopes: readonly string[];
  /** The `jti` of the token (RFC 7519 §4.1.7). */
  tokenId: string;
  /** The unverified value of `x-elevated-access-token`. */
  elevatedToken?: string;
  /** The site that the token was issued to, or the service's own address; absent for a short-lived token. */
  issuedTo?: string;
  /** The audience of a short-lived token; absent for tokens of the session. */
  audience?: ServiceAudience;
  tokenUse: TokenUse;
}

export interface AnonymousPrincipal {
  kind: 'anonymous';
}

export type DashboardPrincipal = EnvironmentTokenPrincipal | DashboardUserPrincipal;
export type Principal = DashboardPrincipal | EndUserPrincipal | AnonymousPrincipal;
