import { StreamableFile } from '@nestjs/common';
import { ExpressAdapter } from '@nestjs/platform-express';
import type { Application, NextFunction, Request, RequestHandler, Response } from 'express';
import { KnownPaths } from './known-paths.js';
import type { ResultCarrier } from './result-carrier.js';
import { RouteGroups } from './route-groups.js';

/** An answer that knows how its body leaves; the access guard says so before the handler runs. */
export interface ProjectedResponse extends Response {
  carryResult?: ResultCarrier;
  /** Set where the answer and what it tells of are committed together. */
  settlement?: Settlement;
}

/** Work that is not committed yet. */
export interface Settlement {
  /** Commits it together with its answer; an answer that is a refusal undoes it. */
  complete(status: number, body: string | undefined): Promise<void>;
  /** Undoes it. Answers what the caller is to be told: the error, or the answer of another call that has done it. */
  refuse(error: unknown): Promise<unknown>;
  /** The handler and whatever stands around it have come to their end. */
  handled(): void;
}

type Handler = (request: Request, response: ProjectedResponse, next: NextFunction) => unknown;

/** Ends an answer with a text that is JSON already, or with nothing. */
export function sendText(response: Response, status: number, text: string | undefined): Response {
  response.statusCode = status;
  if (text === undefined) return response.end();
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  const length = Buffer.byteLength(text);
  response.setHeader('Content-Length', length);
  // What is all ASCII has the same bytes in both, and Latin-1 is written without being looked at again.
  return response.end(text, length === text.length ? 'latin1' : 'utf8');
}

/**
 * Express, with every result carried through its projection on the way out and written as JSON at once. An interceptor
 * would do the same, but one that a team adds around it could put back what the projection took away. The access guard
 * refuses to work without it.
 */
export class ProjectingAdapter extends ExpressAdapter {
  private readonly groups = new RouteGroups();
  private readonly known = new KnownPaths();
  private isGrouping = false;

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

  override setNotFoundHandler(...handler: Parameters<ExpressAdapter['setNotFoundHandler']>): unknown {
    this.use(this.known.explain);
    return super.setNotFoundHandler(...handler) as unknown;
  }

  override reply(response: ProjectedResponse, body: unknown, statusCode?: number): unknown {
    const { carryResult, settlement } = response;
    // Exception filters name the status of what they answer, and that is no result; neither is a file.
    const isFile = body instanceof StreamableFile;
    const isResult = !isFile && (statusCode ?? 200) < 400;
    if (isFile) failAsAFault(body);
    if (!carryResult || !isResult) return super.reply(response, body, statusCode);
    const status = statusCode ?? response.statusCode;
    const text = carryResult.write(body);
    if (carryResult.cacheControl !== null) response.setHeader('Cache-Control', carryResult.cacheControl);
    if (!settlement) return sendText(response, status, text);
    return settlement.complete(status, text).then(() => sendText(response, status, text));
  }

  /** Of a path of the API, as Express writes it. */
  methodsOf(path: string): string[] {
    return this.known.methodsOf(path);
  }

  private register(method: 'get' | 'post' | 'put' | 'patch' | 'delete', route: unknown[]): unknown {
    const app = this.getInstance<Application>();
    const [path, ...handlers] = route;
    const group = this.groups.routerFor(path);
    if (!group) return (app[method] as (...route: unknown[]) => unknown).apply(app, route);
    // The first operation comes after all middleware, which Nest registers before any route.
    if (!this.isGrouping) app.use(this.groups.handle);
    this.isGrouping = true;
    this.known.add(method, path);
    return group[method](path as string, ...handlers.map((handler) => seenToItsEnd(handler as Handler)));
  }
}

/** What Nest says of a file before it is read. */
const FILE_HEADERS = ['Content-Type', 'Content-Disposition', 'Content-Length'] as const;
/** Each file has a function of its own for it, of the same text. */
const NEST_ANSWERS = new StreamableFile(new Uint8Array()).errorHandler.toString();

/**
 * A file that cannot be read is a fault of the service: Nest would say that the request was bad. An author who gave it a
 * handler is asked instead, and a file of which something was sent is cut off by Nest.
 */
function failAsAFault(file: StreamableFile): void {
  const nestAnswers = file.errorHandler;
  if (file.errorHandler.toString() !== NEST_ANSWERS) return;
  file.setErrorHandler((error, answer) => {
    if (answer.destroyed || answer.headersSent) return nestAnswers(error, answer);
    const response = answer as unknown as Response;
    for (const name of FILE_HEADERS) response.removeHeader(name);
    response.req.next?.(error);
  });
}

/** A handler, as Nest wraps it: guards, interceptors, pipes and filters are part of it. */
function seenToItsEnd(handler: Handler): RequestHandler {
  return async (request, response: ProjectedResponse, next) => {
    try {
      await handler(request, response, next);
    } finally {
      response.settlement?.handled();
    }
  };
}
