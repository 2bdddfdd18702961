import { ExpressAdapter } from '@nestjs/platform-express';
import type { Response } from 'express';
import type { ResultCarrier } from './result-carrier.js';

/** An answer that knows how its body leaves; the access guard says so before the handler runs. */
export interface ProjectedResponse extends Response {
  carryResult?: ResultCarrier;
}

/**
 * Express, with every result carried through its projection on the way out and written as JSON at once. An interceptor
 * would do the same with an observable for each request, and Express with a look at types, charsets and entity tags that
 * results of operations never have: together a third of a short answer. The access guard refuses to work without it.
 */
export class ProjectingAdapter extends ExpressAdapter {
  override reply(response: ProjectedResponse, body: unknown, statusCode = response.statusCode): unknown {
    const { carryResult } = response;
    if (!carryResult) return super.reply(response, body, statusCode) as unknown;
    const text = JSON.stringify(carryResult(body)) as string | undefined;
    if (text === undefined) {
      response.statusCode = statusCode;
      return response.end();
    }
    const length = Buffer.byteLength(text);
    response.writeHead(statusCode, ['Content-Type', 'application/json; charset=utf-8', 'Content-Length', `${length}`]);
    // What is all ASCII has the same bytes in both, and Latin-1 is written without being looked at again.
    return response.end(text, length === text.length ? 'latin1' : 'utf8');
  }
}
