import type { Request } from 'express';
import passport from 'passport';

type Done = (error: unknown, principal?: object | false) => void;
type Verify = (request: Request, token: string, done: Done) => void;

/** What a strategy reports to the guard about an unauthenticated call. */
const NO_CREDENTIAL = 'none';
export const REFUSED_CREDENTIAL = 'refused';

const BEARER = /^Bearer +([\w.~+/=-]+)$/i;

/** The bearer token of the Authorization header (RFC 6750 §2.1). Tokens in query strings are never read. */
export const bearerOf = (request: Request): string | null =>
  BEARER.exec(request.headers.authorization ?? '')?.[1] ?? null;

/**
 * The base of all bearer token strategies, extended through `PassportStrategy`: their `validate(request, token)` returns the
 * principal, or null if the token is of another kind or invalid.
 */
export class BearerTokenStrategy extends passport.Strategy {
  constructor(private readonly verify: Verify) {
    super();
  }

  override authenticate(request: Request): void {
    const token = this.tokenOf(request);
    if (!token) return this.fail(NO_CREDENTIAL, 401);
    this.verify(request, token, (error, principal) => {
      if (error) return this.error(error);
      return principal ? this.success(principal) : this.fail(REFUSED_CREDENTIAL, 401);
    });
  }

  protected tokenOf(request: Request): string | null {
    return bearerOf(request);
  }
}

/** The strategies that contexts register, by kind of credential. */
export const STRATEGIES = {
  environmentToken: 'environment-token',
  personalToken: 'personal-token',
  dashboardSession: 'dashboard-session',
  walletServer: 'wallet-server',
  endUser: 'end-user',
} as const;
