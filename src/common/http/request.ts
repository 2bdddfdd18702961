import type { Request } from 'express';

/** What the service adds to an Express request on its way in. */
export interface ServiceRequest extends Request {
  /** Correlates the response, the log and the error body. */
  requestId: string;
  /** W3C Trace Context of its span, where requests are traced. */
  traceParent?: string;
  /** The operation it means, as soon as its route is known; pages have none. */
  operationId?: string;
  /** The `Origin` header, where the environment of the path admits the site. */
  admittedOrigin?: string;
  /** True on operations whose 403 body names the refused wallet or email in an object (see decision on errors). */
  sessionErrors?: boolean;
  /** True on the operation whose 400 and 401 say that the credential is not good. */
  saysVerified?: boolean;
}

/**
 * The address of the client: the connection's, or what trusted proxies say (TRUST_PROXY). Reading the header that is not
 * there is most of what Express does for it.
 */
export const clientAddress = (request: Request): string | undefined =>
  request.headers['x-forwarded-for'] === undefined ? request.socket.remoteAddress : request.ip;
