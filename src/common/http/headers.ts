import { randomUUID } from 'node:crypto';
import { ServerResponse } from 'node:http';
import type { Response } from 'express';
import type { ServiceRequest } from './request.js';

const REQUEST_ID = /^[\w.:-]{8,128}$/;

/** What every answer carries (OWASP secure headers); pages for people set their own content policy. */
const HEADERS: readonly (readonly [string, string])[] = [
  ['Strict-Transport-Security', 'max-age=31536000; includeSubDomains'],
  ['X-Content-Type-Options', 'nosniff'],
  ['Referrer-Policy', 'no-referrer'],
  ['Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'"],
  ['Cross-Origin-Resource-Policy', 'same-origin'],
  ['Cache-Control', 'no-store'],
];

const CACHE_CONTROL = 'Cache-Control';
const FLAT: readonly string[] = HEADERS.flat();
const FLAT_KEPT: readonly string[] = HEADERS.filter(([name]) => name !== CACHE_CONTROL).flat();
const NONE: readonly string[] = [];

type Head = Parameters<ServerResponse['writeHead']>;

/** Gives the request its id (a proxy's `x-request-id` is kept when it is well formed) and the answer its headers. */
export function standardHeaders(request: ServiceRequest, response: Response): void {
  const given = request.headers['x-request-id'];
  request.requestId = typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID();
  // One function for all answers; the overloads of `writeHead` cannot be written as one type.
  response.writeHead = writeStandardHead as unknown as Response['writeHead'];
}

/**
 * Every answer passes here, whoever writes it. Headers that were set before stay as they are; where there are none, all
 * leave as one list, which saves looking at each of them three times.
 */
function writeStandardHead(this: ServerResponse<ServiceRequest>, ...head: Head): unknown {
  const [status, list] = head;
  const { requestId, answerHeaders = NONE, observer, drain } = this.req;
  if (drain?.isDraining) this.shouldKeepAlive = false;
  observer?.answered(this.req, status, performance.now() - this.req.receivedAt!);
  const { writeHead } = ServerResponse.prototype as { writeHead: (this: ServerResponse, ...head: Head) => unknown };
  if (Array.isArray(list) && this.getHeaderNames().length === 0) {
    const given = list as string[];
    const standard = given.includes(CACHE_CONTROL) ? FLAT_KEPT : FLAT;
    return writeHead.call(this, status, [...standard, 'X-Request-Id', requestId, ...answerHeaders, ...given]);
  }
  for (const [name, value] of HEADERS) if (!this.hasHeader(name)) this.setHeader(name, value);
  this.setHeader('X-Request-Id', requestId);
  for (let at = 0; at < answerHeaders.length; at += 2) this.appendHeader(answerHeaders[at]!, answerHeaders[at + 1]!);
  return writeHead.apply(this, head);
}
