import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { clientAddress } from '../common/http/request.js';
import type { AuthorizedRequest } from './authorized-request.js';

const requestOf = (context: ExecutionContext): AuthorizedRequest => context.switchToHttp().getRequest();

/** The environment of the call: an `EnvironmentId` that only the guard sets. */
export const Environment = createParamDecorator((_: unknown, context: ExecutionContext) => {
  const { environmentId } = requestOf(context);
  if (!environmentId) throw new Error('This route has no environment.');
  return environmentId;
});

/** The organization of the call: an `OrganizationId` that only the guard sets. */
export const Organization = createParamDecorator((_: unknown, context: ExecutionContext) => {
  const { organizationId } = requestOf(context);
  if (!organizationId) throw new Error('This route has no organization.');
  return organizationId;
});

/** The caller; its type depends on the audience of the route. */
export const Caller = createParamDecorator((_: unknown, context: ExecutionContext) => requestOf(context).principal);

/** The origin of a call, for sessions and rate limits. */
export interface ClientOrigin {
  ipAddress: string;
  userAgent: string | null;
  /** The `Origin` header of a browser. */
  origin: string | null;
  /** The unparsed `Accept-Language` header of a browser. */
  acceptLanguage?: string;
  /** The same, but only if the environment admits the site, since clients can send any header. */
  admittedOrigin?: string;
}

/** The User-Agent of a client, as it is stored and compared. */
export const userAgentOf = ({ headers }: Pick<AuthorizedRequest, 'headers'>): string | null =>
  headers['user-agent']?.slice(0, 512) ?? null;

export const Client = createParamDecorator((_: unknown, context: ExecutionContext): ClientOrigin => {
  const request = requestOf(context);
  return {
    ipAddress: clientAddress(request) ?? '',
    userAgent: userAgentOf(request),
    origin: request.headers.origin?.slice(0, 512) ?? null,
    ...(request.headers['accept-language'] !== undefined && {
      acceptLanguage: request.headers['accept-language'].slice(0, 256),
    }),
    ...(request.admittedOrigin !== undefined && { admittedOrigin: request.admittedOrigin }),
  };
});
