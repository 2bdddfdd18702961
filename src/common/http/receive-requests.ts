import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { jsonBody } from './body.js';
import { standardHeaders } from './headers.js';
import type { ServiceRequest } from './request.js';

export type Step = (request: ServiceRequest, response: Response, next: NextFunction) => void;

interface Steps {
  beforeBody: Step;
  operations: Step;
}

const pass: Step = (_request, _response, next) => next();

/**
 * What happens to every request before it is routed. One layer, since Express looks at each of them for every request.
 *
 * @param beforeBody is asked before the body is read, so that it also has a say in what answers a body that cannot be
 * @param operations answers those requests that are for operations, and passes on the others
 */
export function receiveRequests({ beforeBody = pass, operations = pass }: Partial<Steps> = {}): RequestHandler {
  const readBody = jsonBody();
  return (request: Request, response, next) => {
    const received = request as ServiceRequest;
    standardHeaders(received, response);
    beforeBody(received, response, () =>
      readBody(received, response, (unreadable?: unknown) =>
        unreadable ? next(unreadable) : operations(received, response, next),
      ),
    );
  };
}
