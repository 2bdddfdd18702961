import express, { type NextFunction, type Request, type RequestHandler, type Response } from 'express';

export const CATCHER_PATH = 'dev/webhooks';

/** What a webhook may carry, and more than the API accepts. */
const LIMIT = '256kb';

export interface RawRequest extends Request {
  rawBody?: Buffer;
}

/**
 * Reads the body as bytes, of any type, and keeps it in `rawBody`. The JSON reader that comes later finds the request
 * read and leaves it alone.
 */
export function rawBody(): RequestHandler[] {
  const read = express.raw({ type: () => true, limit: LIMIT, inflate: false });
  const keep = (request: RawRequest, _response: Response, next: NextFunction): void => {
    request.rawBody = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
    request.body = undefined;
    next();
  };
  return [read, keep];
}
