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
  /** Answers those requests that are for operations, and passes on the others. */
  operations: Step;
  drain?: Drain;
  observer: RequestObserver | null;
}

const pass: Step = (_request, _response, next) => next();

/** What happens to every request before it is routed. One layer, since Express looks at each of them for every request. */
export function receiveRequests(reception: Partial<Reception> = {}): RequestHandler {
  const { beforeBody = pass, operations = pass, drain, observer = null } = reception;
  const readBody = jsonBody();
  return (incoming, response, next) => {
    const request = incoming as ServiceRequest;
    if (request.refusedWith) return next(request.refusedWith);
    standardHeaders(request, response);
    request.drain = drain;
    if (observer) {
      request.observer = observer;
      request.receivedAt = performance.now();
      observer.received?.(request);
    }
    beforeBody(request, response, () =>
      readBody(request, response, (unreadable?: unknown) => {
        if (unreadable) return next(unreadable);
        // Reading causes nothing that is done later.
        if (request.method === 'GET') return operations(request, response, next);
        // Here and no earlier: the body has been read in turns of its own.
        const { requestId, traceParent } = request;
        withCause({ requestId, traceParent }, () => operations(request, response, next));
      }),
    );
  };
}
