import express, { type RequestHandler } from 'express';
import type { RawRequest } from '../../../common/http/raw-body.js';
import { standardHeaders } from '../../../common/http/headers.js';
import { parseQuery } from '../../../common/http/query.js';
import type { ServiceRequest } from '../../../common/http/request.js';

export const FORM_TYPE = 'application/x-www-form-urlencoded';
/** Enough for a code, a token and a name. */
const LIMIT = '32kb';

/**
 * Parses a posted form by the rules of a query: no repeated parameters. Other bodies are left to the JSON parser, which
 * runs later.
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
    // Providers add fields, such as the person's name at the first sign-in.
    request.body = Object.fromEntries(known.flatMap((name) => (name in form ? [[name, form[name]]] : [])));
    next();
  };
  return [prepare, read, parse];
}
