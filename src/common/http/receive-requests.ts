import type { NextFunction, RequestHandler, Response } from 'express';
import { withCause } from '../cause.js';
import { jsonBody } from './body.js';
import type { Drain } from './drain.js';
import { standardHeaders } from './headers.js';
import { CLIENT_LEFT, type RequestObserver } from './request-observer.js';
import { forgetPorts, type ServiceRequest } from './request.js';

export type Step = (request: ServiceRequest, response: Response, next: NextFunction) => void;

interface Reception {
  /** Runs before the body is read, so that it also applies to responses about an unreadable body. */
  beforeBody: Step;
  drain?: Drain;
  observer: RequestObserver | null;
}

const pass: Step = (_request, _response, next) => next();

/**
 * The first middleware for every request. A single layer, so that its parts always run in the same order.
 */
export function receiveRequests(reception: Partial<Reception> = {}): RequestHandler {
  const { beforeBody = pass, drain, observer = null } = reception;
  const readBody = jsonBody();
  return (incoming, response, next) => {
    const request = incoming as ServiceRequest;
    forgetPorts(request);
    standardHeaders(request, response);
    // Makes the client or load balancer open its next connection elsewhere.
    if (drain?.isDraining) response.setHeader('Connection', 'close');
    if (observer) observe(observer, request, response);
    beforeBody(request, response, (refused?: unknown) => {
      if (refused) return next(refused);
      readBody(request, response, (unreadable?: unknown) => {
        if (unreadable) return next(unreadable);
        // Only now: the body was read in other turns of the event loop. For GET as well, since some publish events.
        const { requestId, traceParent } = request;
        withCause({ requestId, traceParent }, next);
      });
    });
  };
}

function observe(observer: RequestObserver, request: ServiceRequest, response: Response): void {
  const receivedAt = performance.now();
  observer.received?.(request);
  // Also if the connection broke: while calls take longer than clients wait, there would be nothing to see of them.
  response.once('close', () => {
    const status = response.headersSent ? response.statusCode : CLIENT_LEFT;
    observer.answered(request, status, performance.now() - receivedAt);
  });
}
