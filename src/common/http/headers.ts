import { randomUUID } from 'node:crypto';
import type { Response } from 'express';
import type { ServiceRequest } from './request.js';

const REQUEST_ID = /^[\w.:-]{8,128}$/;

/** Headers of every response (OWASP secure headers); pages set their own content security policy. */
export const STANDARD_HEADERS: ReadonlyMap<string, string> = new Map([
  ['Strict-Transport-Security', 'max-age=31536000; includeSubDomains'],
  ['X-Content-Type-Options', 'nosniff'],
  ['Referrer-Policy', 'no-referrer'],
  ['Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'"],
  ['Cross-Origin-Resource-Policy', 'same-origin'],
  ['Cache-Control', 'no-store'],
]);

/**
 * Gives the request its id (a well-formed `x-request-id` of a proxy is kept) and the response its headers. They are set
 * first, so that every response has them, whatever writes it; later code may override them.
 */
export function standardHeaders(request: ServiceRequest, response: Response): void {
  const given = request.headers['x-request-id'];
  request.requestId = typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID();
  for (const [name, value] of STANDARD_HEADERS) response.setHeader(name, value);
  response.setHeader('X-Request-Id', request.requestId);
}
