import { ExpressAdapter } from '@nestjs/platform-express';
import type { Application, RequestHandler, Response } from 'express';
import type { ResultCarrier } from './result-carrier.js';
import { RouteIndex } from './route-index.js';

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
  private readonly index = new RouteIndex();
  private isReached = false;

  /** Answers requests for operations. Who asks for it hands them over; else a layer of Express does. */
  get operations(): RequestHandler {
    this.isReached = true;
    return this.index.handle;
  }

  override get(...route: unknown[]): unknown {
    return this.register('get', route);
  }

  override post(...route: unknown[]): unknown {
    return this.register('post', route);
  }

  override put(...route: unknown[]): unknown {
    return this.register('put', route);
  }

  override patch(...route: unknown[]): unknown {
    return this.register('patch', route);
  }

  override delete(...route: unknown[]): unknown {
    return this.register('delete', route);
  }

  override reply(response: ProjectedResponse, body: unknown, statusCode = response.statusCode): unknown {
    const { carryResult } = response;
    if (!carryResult) return super.reply(response, body, statusCode) as unknown;
    const text = carryResult.write(body);
    if (text === undefined) {
      response.statusCode = statusCode;
      return response.end();
    }
    const length = Buffer.byteLength(text);
    const headers = ['Content-Type', 'application/json; charset=utf-8', 'Content-Length', `${length}`];
    if (carryResult.cacheControl !== null) headers.push('Cache-Control', carryResult.cacheControl);
    response.writeHead(statusCode, headers);
    // What is all ASCII has the same bytes in both, and Latin-1 is written without being looked at again.
    return response.end(text, length === text.length ? 'latin1' : 'utf8');
  }

  private register(method: 'get' | 'post' | 'put' | 'patch' | 'delete', route: unknown[]): unknown {
    const app = this.getInstance<Application>();
    if (!this.isReached) app.use(this.operations);
    const [path, handler, ...more] = route;
    const router = (more.length === 0 ? this.index.add(method, path, handler) : null) ?? app;
    return (router[method] as (...route: unknown[]) => unknown).apply(router, route);
  }
}
