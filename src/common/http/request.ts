import type { Request } from 'express';

/** What the service adds to an Express request. */
export interface ServiceRequest extends Request {
  /** Correlates the response, the log and the error body. */
  requestId: string;
  /** W3C Trace Context of its span, if requests are traced. */
  traceParent?: string;
  /** The id of its operation, once the route is known; pages have none. */
  operationId?: string;
  /** The `Origin` header, if the environment in the path admits that site. */
  admittedOrigin?: string;
  /** True on operations whose 403 body names the refused wallet or email in an object (see decision on errors). */
  sessionErrors?: boolean;
  /** True on the operation whose 400 and 401 bodies say that the credential is invalid. */
  saysVerified?: boolean;
  /** True on operations that browsers navigate to, which show their errors to people as pages. */
  isNavigatedTo?: boolean;
}

/** An address with the port of its connection, as some load balancers report it; IPv6 is in brackets. */
const WITH_PORT = /^\s*(?:(\d{1,3}(?:\.\d{1,3}){3})|\[([\da-f:.]+)\])(?::\d{1,5})?\s*$/i;
/** An IPv4 address as a socket that accepts both families reports it (RFC 4291 section 2.5.5.2). */
const MAPPED = /^::ffff:(?=\d{1,3}(?:\.\d{1,3}){3}$)/i;

/** Removes ports from the addresses that proxies report, which would make each connection another client. */
export function forgetPorts({ headers }: Request): void {
  const reported = headers['x-forwarded-for'];
  if (typeof reported !== 'string' || !reported.includes(':')) return;
  const addresses = reported
    .split(',')
    .map((one) => one.replace(WITH_PORT, (_, ipv4?: string, ipv6?: string) => ipv4 ?? ipv6 ?? one));
  headers['x-forwarded-for'] = addresses.join(',');
}

/**
 * The address of the client: that of the connection, or the one reported by trusted proxies (TRUST_PROXY). IPv4 has no
 * other form. Faster than `request.ip` if there is no such header.
 */
export function clientAddress(request: Request): string | undefined {
  const isReported = request.headers['x-forwarded-for'] !== undefined;
  return (isReported ? request.ip : request.socket.remoteAddress)?.replace(MAPPED, '');
}
