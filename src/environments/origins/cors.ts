import { Injectable } from '@nestjs/common';
import type { NextFunction, Response } from 'express';
import { RATE_RULES, RateLimiter } from '../../auth/index.js';
import { REPLAYED_HEADER } from '../../common/http/answered-before.js';
import { API_PREFIX } from '../../common/http/operation.js';
import { clientAddress, type ServiceRequest } from '../../common/http/request.js';
import { OriginPolicy } from './origin-policy.js';

/** Extracts the environment id from a client-facing path. Percent-encoded paths get no CORS headers. */
const CLIENT_PATH = new RegExp(`^/${API_PREFIX}/sdk/([0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12})(?:[/?]|$)`, 'i');

/** A list of header field names (RFC 9110 §5.1), as browsers send it. */
const FIELD_NAMES = /^[\w!#$%&'*+.^`|~-]+( *, *[\w!#$%&'*+.^`|~-]+)*$/;
const MAX_FIELD_NAMES_LENGTH = 1_024;

const METHODS = 'GET, POST, PUT, PATCH, DELETE';
/** What the service says in header fields of its own, which a browser otherwise keeps from the page. */
const EXPOSED = [
  ...['X-Request-Id', 'Retry-After', 'Deprecation', 'WWW-Authenticate'],
  ...['RateLimit-Policy', 'RateLimit-Remaining', 'RateLimit-Reset', REPLAYED_HEADER],
].join(', ');
const MAX_AGE_SECONDS = '600';

/**
 * Lets pages of registered sites call `/sdk/{environmentId}` from a browser and read the responses, with credentials
 * (Fetch standard, CORS protocol). Other sites get responses without CORS headers, which the browser withholds from
 * them; operations outside `/sdk` are for servers and have no CORS at all.
 */
@Injectable()
export class Cors {
  constructor(
    private readonly origins: OriginPolicy,
    private readonly limiter: RateLimiter,
  ) {}

  readonly handle = (request: ServiceRequest, response: Response, next: NextFunction): void => {
    const environmentId = CLIENT_PATH.exec(request.url)?.[1]?.toLowerCase();
    if (environmentId === undefined) return next();
    response.vary('Origin');
    const { origin } = request.headers;
    if (origin === undefined) return next();
    if (isPreflight(request)) {
      void this.answerPreflight(environmentId, origin, request, response).catch(next);
      return;
    }
    void this.admits(environmentId, origin).then((isAllowed) => {
      if (isAllowed) {
        request.admittedOrigin = origin;
        response.set(grant(origin));
      }
      next();
    });
  };

  /** @throws ApiError 429, before anything about the environment is looked up */
  private async answerPreflight(
    environmentId: string,
    origin: string,
    request: ServiceRequest,
    response: Response,
  ): Promise<void> {
    await this.limiter.assertWithin(RATE_RULES.preflight, { ipAddress: clientAddress(request) ?? '' });
    if (await this.admits(environmentId, origin)) response.set({ ...grant(origin), ...preflightGrant(request) });
    response.status(204).end();
  }

  /** While the database does not respond, no origin is allowed; the operation's own error is still sent. */
  private admits(environmentId: string, origin: string): Promise<boolean> {
    return this.origins.allows(environmentId, origin).catch(() => false);
  }
}

const isPreflight = ({ method, headers }: ServiceRequest): boolean =>
  method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;

const grant = (origin: string): Record<string, string> => ({
  'Access-Control-Allow-Origin': origin,
  'Access-Control-Allow-Credentials': 'true',
  'Access-Control-Expose-Headers': EXPOSED,
});

/** A registered site may send any headers, like any other client. */
function preflightGrant({ headers }: ServiceRequest): Record<string, string> {
  const asked = headers['access-control-request-headers'];
  const isList = asked !== undefined && asked.length <= MAX_FIELD_NAMES_LENGTH && FIELD_NAMES.test(asked);
  return {
    'Access-Control-Allow-Methods': METHODS,
    'Access-Control-Max-Age': MAX_AGE_SECONDS,
    ...(isList && { 'Access-Control-Allow-Headers': asked }),
  };
}
