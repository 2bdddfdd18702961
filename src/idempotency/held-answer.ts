import type { NextFunction } from 'express';
import type { ProjectedResponse } from '../common/http/projecting.adapter.js';
import type { CallSettlement } from './call-settlement.js';

/** Responses are stored, so their size must be bounded. */
const MOST_BYTES = 1024 * 1024;
const JSON_TYPE = /^application\/json\b/i;

type Callback = (error?: Error | null) => void;
type Written = [chunk?: unknown, encoding?: BufferEncoding | Callback, callback?: Callback];

/**
 * Holds back a response written by the handler itself until its call is settled: a client must not be told of something
 * that is then rolled back. Replaces `write` and `end` of this response, public methods of Node, as compression and
 * session middleware does. Handler results do not pass through here: they are settled before they are written.
 *
 * @returns a function that releases the response
 */
export function holdAnswer(response: ProjectedResponse, settlement: CallSettlement, next: NextFunction): () => void {
  const chunks: Buffer[] = [];
  let size = 0;
  let isEnded = false;
  const write = response.write.bind(response) as (...written: Written) => boolean;
  const end = response.end.bind(response) as (...written: Written) => ProjectedResponse;
  const release = (): void => {
    response.write = write as typeof response.write;
    response.end = end as typeof response.end;
  };

  const fail = (error: unknown): void => {
    if (response.headersSent) {
      settlement.cancel();
      response.destroy();
      return;
    }
    for (const name of ['Content-Type', 'Content-Length', 'Transfer-Encoding']) response.removeHeader(name);
    next(error);
  };
  const keep = (chunk: unknown, encoding: unknown): void => {
    if (chunk === undefined || chunk === null || isEnded) return;
    const bytes = Buffer.isBuffer(chunk)
      ? chunk
      : typeof chunk === 'string'
        ? Buffer.from(chunk, typeof encoding === 'string' ? (encoding as BufferEncoding) : 'utf8')
        : Buffer.from(chunk as Uint8Array);
    size += bytes.length;
    if (size <= MOST_BYTES) chunks.push(bytes);
  };
  const settle = async (callback: Callback | undefined): Promise<void> => {
    const body = Buffer.concat(chunks);
    if (response.statusCode < 400) assertKeepable(response, size);
    await settlement.complete(response.statusCode, body.length === 0 ? undefined : body.toString());
    release();
    if (body.length === 0) end(callback);
    else end(body, callback);
  };

  response.write = ((...[chunk, encoding, callback]: Written) => {
    keep(chunk, encoding);
    const done = typeof encoding === 'function' ? encoding : callback;
    if (done) process.nextTick(done);
    return true;
  }) as typeof response.write;
  response.end = ((...written: Written) => {
    if (!settlement.isOpen) return end(...written);
    const [chunk, encoding] = typeof written[0] === 'function' ? [] : written;
    keep(chunk, encoding);
    if (isEnded) return response;
    isEnded = true;
    settle(written.find((part) => typeof part === 'function') as Callback | undefined).catch(fail);
    return response;
  }) as typeof response.end;
  return release;
}

function assertKeepable(response: ProjectedResponse, size: number): void {
  if (size > MOST_BYTES) throw new Error('An answer to a call with an Idempotency-Key is longer than 1 MB.');
  const type = response.getHeader('Content-Type');
  if (size > 0 && !(typeof type === 'string' && JSON_TYPE.test(type)))
    throw new Error('An answer to a call with an Idempotency-Key is JSON.');
}
