import express, { type RequestHandler } from 'express';
import type { RawRequest } from '../../../common/http/raw-body.js';
import { standardHeaders } from '../../../common/http/headers.js';
import { parseQuery } from '../../../common/http/query.js';
import type { ServiceRequest } from '../../../common/http/request.js';

export const FORM_TYPE = 'application/x-www-form-urlencoded';
/** A code, a token and a name. */
const LIMIT = '32kb';

/**
 * Reads a posted form by the rules of a query: no parameter twice. What else is posted is left to the reader of JSON,
 * which comes later.
 */
export function formBody(known: readonly string[]): RequestHandler[] {
  const prepare: RequestHandler = (request, response, next) => {
    standardHeaders(request as ServiceRequest, response);
    next();
  };
  const read = express.raw({ type: FORM_TYPE, limit: LIMIT, inflate: false });
  const parse: RequestHandler = (request: RawRequest, _response, next) => {
    const bytes: unknown = request.body;
    if (!Buffer.isBuffer(bytes)) return next();
    const form = parseQuery(bytes.toString('utf8'));
    request.rawBody = bytes;
    // The provider adds what it likes, such as the name of the person at the first sign-in.
    request.body = Object.fromEntries(known.flatMap((name) => (name in form ? [[name, form[name]]] : [])));
    next();
  };
  return [prepare, read, parse];
}
