import type { Request } from 'express';
import type { Drain } from './drain.js';
import type { RequestObserver } from './request-observer.js';

/** What the service adds to an Express request on its way in. */
export interface ServiceRequest extends Request {
  /** Correlates the response, the log and the error body. */
  requestId: string;
  /** W3C Trace Context of its span, where requests are traced. */
  traceParent?: string;
  /** The operation it means, as soon as its route is known; pages have none. */
  operationId?: string;
  /** Whether the process still asks for more requests. */
  drain?: Drain;
  /** Who wants to know what is answered, and when the request came on the clock of `performance.now`. */
  observer?: RequestObserver;
  receivedAt?: number;
  /** True on operations whose 403 body names the refused wallet or email in an object (see decision on errors). */
  sessionErrors?: boolean;
  /** Why its reception failed, before Express had it. */
  refusedWith?: unknown;
  /** What the answer carries besides the standard headers: name, value, name, value. */
  answerHeaders?: readonly string[];
}

/**
 * The address of the client: the connection's, or what trusted proxies say (TRUST_PROXY). Reading the header that is not
 * there is most of what Express does for it.
 */
export const clientAddress = (request: Request): string | undefined =>
  request.headers['x-forwarded-for'] === undefined ? request.socket.remoteAddress : request.ip;
