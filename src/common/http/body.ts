import express, { type NextFunction, type RequestHandler, type Response } from 'express';
import { malformedBody, unsupportedMediaType } from '../errors/index.js';
import { isStorable } from '../storable-text.js';
import { ambiguityOf, type Ambiguity } from './json-text.js';
import type { RawRequest } from './raw-body.js';
import type { ServiceRequest } from './request.js';
import { RESERVED_KEYS } from './reserved-keys.js';

const MAX_DEPTH = 32;

/** Throws if a JSON value is too deep, or contains text that cannot be stored or reserved keys such as `__proto__`. */
export function assertPlainJson(root: unknown): void {
  let level: unknown[] = [root];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) throw malformedBody({ message: `The body is nested deeper than ${MAX_DEPTH} levels.` });
    const next: unknown[] = [];
    for (const value of level) {
      if (typeof value === 'string') {
        if (!isStorable(value)) throw malformedBody({ message: 'The body holds a NUL character or a lone surrogate.' });
      } else if (Array.isArray(value)) {
        for (const item of value) next.push(item);
      } else if (value !== null && typeof value === 'object') {
        for (const key of Object.keys(value)) {
          if (RESERVED_KEYS.has(key) || !isStorable(key))
            throw malformedBody({ message: 'The body holds a reserved key.' });
          next.push((value as Record<string, unknown>)[key]);
        }
      }
    }
    level = next;
  }
}

const WITH_BODY = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);
const BULK_PATH = /\/bulk\/?$/;

/** Bodies that other JSON parsers would read differently, found in the bytes and refused after parsing. */
const ambiguous = new WeakMap<object, Ambiguity>();
const AMBIGUOUS: Record<Ambiguity, () => Error> = {
  'other encoding': () => malformedBody({ message: 'The body is not valid UTF-8.' }),
  'repeated key': () => malformedBody({ message: 'An object in the body has a duplicate key.' }),
  'inexact number': () =>
    malformedBody({
      message: 'A number in the body would lose digits.',
      hint: 'Whole numbers are exact up to 9007199254740991 (2^53 - 1). Send larger ones as strings.',
    }),
};

/** Requests whose chunked body had no bytes: no body, although the parser reports an empty object. */
const empty = new WeakSet<object>();

/**
 * Parses JSON bodies: up to 100 KB, 1 MB on bulk paths; only `application/json`, uncompressed, in valid UTF-8, without
 * duplicate keys and without numbers that would lose digits.
 */
export function jsonBody(): RequestHandler {
  const verify = (request: object, _response: unknown, json: Buffer): void => {
    if (json.length === 0) empty.add(request);
    const ambiguity = ambiguityOf(json);
    if (ambiguity) ambiguous.set(request, ambiguity);
  };
  const options = { inflate: false, strict: true, type: () => true, verify };
  const ordinary = express.json({ ...options, limit: '100kb' });
  const bulk = express.json({ ...options, limit: '1mb' });
  return (request, response: Response, next: NextFunction) => {
    if (!WITH_BODY.has(request.method) || !hasBody(request as ServiceRequest)) return next();
    if ((request as RawRequest).rawBody !== undefined) return next();
    if (!isJson(request.headers['content-type'])) return next(unsupportedMediaType());
    return (BULK_PATH.test(request.path) ? bulk : ordinary)(request, response, (unreadable?: unknown) => {
      if (empty.has(request)) request.body = undefined;
      next(unreadable ?? whyNotPlain(request));
    });
  };
}

function whyNotPlain(request: { body?: unknown }): unknown {
  const ambiguity = ambiguous.get(request);
  if (ambiguity) return AMBIGUOUS[ambiguity]();
  try {
    assertPlainJson(request.body);
    return undefined;
  } catch (error) {
    return error;
  }
}

const hasBody = (request: ServiceRequest): boolean =>
  request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0;

/** Tolerates spaces around `=`, as the body parser does (RFC 9110 §5.6.6 allows none). */
const OTHER_CHARSET = /;\s*charset\s*=\s*(?!\s|"?utf-8\b)/i;

/** JSON is UTF-8 (RFC 8259 §8.1): no other charset is accepted. */
const isJson = (contentType = ''): boolean =>
  /^application\/json\s*(;|$)/i.test(contentType) && !OTHER_CHARSET.test(contentType);
