import type { Application, Request } from 'express';

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
}

/** An address with the port of its connection, as some load balancers report it; IPv6 is in brackets. */
const WITH_PORT = /^(?:(\d{1,3}(?:\.\d{1,3}){3})|\[([\da-f:.]+)\])(?::\d{1,5})?$/i;

function withoutPort(address: string): string {
  const [, ipv4, ipv6] = WITH_PORT.exec(address) ?? [];
  return ipv4 ?? ipv6 ?? address;
}

/** Trusts the `X-Forwarded-For` of these proxies (TRUST_PROXY), whether or not they report ports. */
export function trustProxies(app: Application, proxies: readonly string[]): void {
  app.set('trust proxy', [...proxies]);
  const isTrusted = app.get('trust proxy fn') as (address: string, hop: number) => boolean;
  app.set('trust proxy', (address: string, hop: number) => isTrusted(withoutPort(address), hop));
}

/**
 * The address of the client: that of the connection, or the one reported by trusted proxies, without a port, which would
 * make each of its connections another client. Faster than `request.ip` if there is no such header.
 */
export function clientAddress(request: Request): string | undefined {
  if (request.headers['x-forwarded-for'] === undefined) return request.socket.remoteAddress;
  return request.ip && withoutPort(request.ip);
}
