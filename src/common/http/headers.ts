import { randomUUID } from 'node:crypto';
import type { Response } from 'express';
import type { ServiceRequest } from './request.js';

const REQUEST_ID = /^[\w.:-]{8,128}$/;

/** What every answer carries (OWASP secure headers); pages for people set their own content policy. */
export const STANDARD_HEADERS: ReadonlyMap<string, string> = new Map([
  ['Strict-Transport-Security', 'max-age=31536000; includeSubDomains'],
  ['X-Content-Type-Options', 'nosniff'],
  ['Referrer-Policy', 'no-referrer'],
  ['Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'"],
  ['Cross-Origin-Resource-Policy', 'same-origin'],
  ['Cache-Control', 'no-store'],
]);

/**
 * Gives the request its id (a proxy's `x-request-id` is kept when it is well formed) and the answer its headers. They
 * are set before anything else happens, so that every answer has them, whoever writes it; what comes later may set
 * others in their place.
 */
export function standardHeaders(request: ServiceRequest, response: Response): void {
  const given = request.headers['x-request-id'];
  request.requestId = typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID();
  for (const [name, value] of STANDARD_HEADERS) response.setHeader(name, value);
  response.setHeader('X-Request-Id', request.requestId);
}
