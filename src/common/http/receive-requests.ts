import type { NextFunction, RequestHandler, Response } from 'express';
import { jsonBody } from './body.js';
import { standardHeaders } from './headers.js';
import type { ServiceRequest } from './request.js';

type Step = (request: ServiceRequest, response: Response, next: NextFunction) => void;

/**
 * What happens to every request before it is routed. One layer, since Express looks at each of them for every request.
 *
 * @param beforeBody is asked before the body is read, so that it also has a say in what answers a body that cannot be
 */
export function receiveRequests(beforeBody?: Step): RequestHandler {
  const readBody = jsonBody();
  return (request, response, next) => {
    standardHeaders(request as ServiceRequest, response);
    if (beforeBody) beforeBody(request as ServiceRequest, response, () => readBody(request, response, next));
    else readBody(request, response, next);
  };
}
