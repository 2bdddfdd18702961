import express, { type Request, type RequestHandler } from 'express';
import { standardHeaders } from './headers.js';
import type { ServiceRequest } from './request.js';

/** Enough for webhooks, and more than the API accepts. */
const LIMIT = '256kb';

export interface RawRequest extends Request {
  rawBody?: Buffer;
}

/**
 * Reads the body as bytes, whatever its type, into `rawBody`. The JSON parser then skips the request. A body that is too
 * long gets the usual error response, headers included.
 */
export function rawBody(): RequestHandler[] {
  const prepare: RequestHandler = (request, response, next) => {
    standardHeaders(request as ServiceRequest, response);
    next();
  };
  const read = express.raw({ type: () => true, limit: LIMIT, inflate: false });
  const keep: RequestHandler = (request: RawRequest, _response, next) => {
    request.rawBody = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
    request.body = undefined;
    next();
  };
  return [prepare, read, keep];
}
