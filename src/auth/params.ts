import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { clientAddress } from '../common/http/request.js';
import type { AuthorizedRequest } from './authorized-request.js';

const requestOf = (context: ExecutionContext): AuthorizedRequest => context.switchToHttp().getRequest();

/** The scope of the call: an `EnvironmentId` that only the guard sets. */
export const Environment = createParamDecorator((_: unknown, context: ExecutionContext) => {
  const { environmentId } = requestOf(context);
  if (!environmentId) throw new Error('This route has no environment.');
  return environmentId;
});

/** The scope of the call: an `OrganizationId` that only the guard sets. */
export const Organization = createParamDecorator((_: unknown, context: ExecutionContext) => {
  const { organizationId } = requestOf(context);
  if (!organizationId) throw new Error('This route has no organization.');
  return organizationId;
});

/** Who calls; its type follows from the audience of the route. */
export const Caller = createParamDecorator((_: unknown, context: ExecutionContext) => requestOf(context).principal);

/** Where a call comes from, for sessions and limits. */
export interface ClientOrigin {
  ipAddress: string;
  userAgent: string | null;
  /** The `Origin` header of a browser. */
  origin: string | null;
  /** The `Accept-Language` header of a browser, not yet read. */
  acceptLanguage?: string;
  /** The same, where the environment admits the site: anybody can send a header. */
  admittedOrigin?: string;
}

/** What a client calls itself; what it is kept and compared by. */
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
