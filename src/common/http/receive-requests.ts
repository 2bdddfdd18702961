import type { NextFunction, RequestHandler, Response } from 'express';
import { withCause } from '../cause.js';
import { jsonBody } from './body.js';
import type { Drain } from './drain.js';
import { standardHeaders } from './headers.js';
import type { RequestObserver } from './request-observer.js';
import type { ServiceRequest } from './request.js';

export type Step = (request: ServiceRequest, response: Response, next: NextFunction) => void;

interface Reception {
  /** Is asked before the body is read, so that it also has a say in what answers a body that cannot be. */
  beforeBody: Step;
  drain?: Drain;
  observer: RequestObserver | null;
}

const pass: Step = (_request, _response, next) => next();

/**
 * What happens to every request before middleware and routes see it. One layer, so that its parts stand in one order
 * whoever puts an application together.
 */
export function receiveRequests(reception: Partial<Reception> = {}): RequestHandler {
  const { beforeBody = pass, drain, observer = null } = reception;
  const readBody = jsonBody();
  return (incoming, response, next) => {
    const request = incoming as ServiceRequest;
    standardHeaders(request, response);
    // The client, or the balancer before it, opens its next connection elsewhere.
    if (drain?.isDraining) response.setHeader('Connection', 'close');
    if (observer) observe(observer, request, response);
    beforeBody(request, response, (refused?: unknown) => {
      if (refused) return next(refused);
      readBody(request, response, (unreadable?: unknown) => {
        if (unreadable) return next(unreadable);
        // Here and no earlier: the body has been read in turns of its own. Of reading as well: that a secret was read is told.
        const { requestId, traceParent } = request;
        withCause({ requestId, traceParent }, next);
      });
    });
  };
}

function observe(observer: RequestObserver, request: ServiceRequest, response: Response): void {
  const receivedAt = performance.now();
  observer.received?.(request);
  // Also where the connection broke. Without a head there was no answer whose status could be told.
  response.once('close', () => {
    if (response.headersSent) observer.answered(request, response.statusCode, performance.now() - receivedAt);
  });
}
