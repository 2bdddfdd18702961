import type { RequestHandler } from 'express';
import { jsonBody } from './body.js';
import { standardHeaders } from './headers.js';
import type { ServiceRequest } from './request.js';

/** What happens to every request before it is routed. One layer, since Express looks at each of them for every request. */
export function receiveRequests(): RequestHandler {
  const readBody = jsonBody();
  return (request, response, next) => {
    standardHeaders(request as ServiceRequest, response);
    readBody(request, response, next);
  };
}
