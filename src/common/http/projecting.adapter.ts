import { createServer, IncomingMessage, ServerResponse } from 'node:http';
import { ExpressAdapter } from '@nestjs/platform-express';
import type { Application, Request, RequestHandler, Response } from 'express';
import type { ResultCarrier } from './result-carrier.js';
import { RouteIndex } from './route-index.js';
import type { ServiceRequest } from './request.js';

/** An answer that knows how its body leaves; the access guard says so before the handler runs. */
export interface ProjectedResponse extends Response {
  carryResult?: ResultCarrier;
  /** Set where the answer and what it tells of are committed together. */
  settlement?: Settlement;
}

/** Work that is not committed yet. */
export interface Settlement {
  /** Commits it together with its answer. */
  complete(status: number, body: string | undefined): Promise<void>;
  /** Undoes it. Answers what the caller is to be told: the error, or the answer of another call that has done it. */
  refuse(error: unknown): Promise<unknown>;
}

const NONE: readonly string[] = [];

/** Ends an answer with a text that is JSON already, or with nothing. @param headers name, value, name, value */
export function sendText(
  response: Response,
  status: number,
  text: string | undefined,
  headers: readonly string[],
): Response {
  if (text === undefined) {
    for (let at = 0; at < headers.length; at += 2) response.setHeader(headers[at]!, headers[at + 1]!);
    response.statusCode = status;
    return response.end();
  }
  const length = Buffer.byteLength(text);
  const own = ['Content-Type', 'application/json; charset=utf-8', 'Content-Length', `${length}`];
  if (headers.length > 0) own.push(...headers);
  response.writeHead(status, own);
  // What is all ASCII has the same bytes in both, and Latin-1 is written without being looked at again.
  return response.end(text, length === text.length ? 'latin1' : 'utf8');
}

/**
 * Express, with every result carried through its projection on the way out and written as JSON at once. An interceptor
 * would do the same with an observable for each request, and Express with a look at types, charsets and entity tags that
 * results of operations never have: together a third of a short answer. The access guard refuses to work without it.
 */
export class ProjectingAdapter extends ExpressAdapter {
  private readonly index = new RouteIndex();
  private isReached = false;
  private reception: RequestHandler | null = null;

  /** Answers requests for operations. Who asks for it hands them over; else a layer of Express does. */
  get operations(): RequestHandler {
    this.isReached = true;
    return this.index.handle;
  }

  /** What every request passes: as a layer of Express, and before Express where an operation is asked for plainly. */
  receiveWith(reception: RequestHandler): void {
    this.reception = reception;
    this.getInstance<Application>().use(reception);
  }

  /** TLS ends at the balancer, so there is one kind of server. */
  override initHttpServer(): void {
    const app = this.getInstance<Application>() as unknown as { request: object; response: object };
    // Born as what Express would make of them: an object that is given another prototype is slow from then on. That they
    // have these prototypes cannot be said in types.
    class BornRequest extends IncomingMessage {}
    class BornResponse extends ServerResponse {}
    Object.setPrototypeOf(BornRequest.prototype, app.request);
    Object.setPrototypeOf(BornResponse.prototype, app.response);
    const born = { IncomingMessage: BornRequest, ServerResponse: BornResponse };
    this.setHttpServer(
      createServer(born, (request, response) =>
        this.receive(request as unknown as Request, response as unknown as Response),
      ),
    );
  }

  private receive(request: Request, response: Response): void {
    const app = this.getInstance<Application>();
    const { reception } = this;
    if (!reception || !this.index.finds(request)) return void app(request, response);
    // What Express does before its layers.
    request.res = response;
    response.locals = Object.create(null) as Response['locals'];
    // What cannot be received is answered where all errors are.
    reception(request, response, (error?: unknown) => {
      (request as ServiceRequest).refusedWith = error;
      app(request, response);
    });
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
    const { carryResult, settlement } = response;
    if (!carryResult) return super.reply(response, body, statusCode) as unknown;
    const text = carryResult.write(body);
    const { cacheControl } = carryResult;
    const headers = cacheControl === null ? NONE : ['Cache-Control', cacheControl];
    if (!settlement) return sendText(response, statusCode, text, headers);
    return settlement.complete(statusCode, text).then(() => sendText(response, statusCode, text, headers));
  }

  private register(method: 'get' | 'post' | 'put' | 'patch' | 'delete', route: unknown[]): unknown {
    const app = this.getInstance<Application>();
    if (!this.isReached) app.use(this.operations);
    const [path, handler, ...more] = route;
    const router = (more.length === 0 ? this.index.add(method, path, handler) : null) ?? app;
    return (router[method] as (...route: unknown[]) => unknown).apply(router, route);
  }
}
