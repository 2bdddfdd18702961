import { StreamableFile } from '@nestjs/common';
import { ExpressAdapter } from '@nestjs/platform-express';
import type { Application, NextFunction, Request, RequestHandler, Response } from 'express';
import type { RequestListener } from 'node:http';
import { KnownPaths } from './known-paths.js';
import { limitedServer } from './limited-server.js';
import type { ResultCarrier } from './result-carrier.js';
import { RouteGroups } from './route-groups.js';

/** A response that knows how its body is projected; set by the access guard before the handler runs. */
export interface ProjectedResponse extends Response {
  carryResult?: ResultCarrier;
  /** Set if the response is committed together with its effects. */
  settlement?: Settlement;
}

/** Uncommitted work. */
export interface Settlement {
  /** Commits it together with its response; an error response rolls it back. */
  complete(status: number, body: string | undefined): Promise<void>;
  /** Rolls it back. Returns what to send: the error, or the response of another call that has done the same work. */
  refuse(error: unknown): Promise<unknown>;
  /** Called once the handler and everything around it have finished. */
  handled(): void;
}

type Handler = (request: Request, response: ProjectedResponse, next: NextFunction) => unknown;

/** Sends a response with JSON text, or without a body. */
export function sendText(response: Response, status: number, text: string | undefined): Response {
  response.statusCode = status;
  if (text === undefined) return response.end();
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  const length = Buffer.byteLength(text);
  response.setHeader('Content-Length', length);
  // ASCII has the same bytes in both encodings, and Latin-1 is written without another scan.
  return response.end(text, length === text.length ? 'latin1' : 'utf8');
}

/**
 * The Express adapter, with every result projected and written as JSON last. An interceptor could do the same, but another
 * one added around it could put removed fields back. The access guard refuses to work without this adapter.
 */
export class ProjectingAdapter extends ExpressAdapter {
  private readonly groups = new RouteGroups();
  private readonly known = new KnownPaths();
  private isGrouping = false;

  override initHttpServer(): void {
    this.httpServer = limitedServer(this.getInstance<RequestListener>());
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

  override setNotFoundHandler(...handler: Parameters<ExpressAdapter['setNotFoundHandler']>): unknown {
    this.use(this.known.explain);
    return super.setNotFoundHandler(...handler) as unknown;
  }

  override reply(response: ProjectedResponse, body: unknown, statusCode?: number): unknown {
    const { carryResult, settlement } = response;
    // Responses of exception filters, which pass a status, are not results; neither are files.
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

  /** The methods of an API path in Express syntax. */
  methodsOf(path: string): string[] {
    return this.known.methodsOf(path);
  }

  private register(method: 'get' | 'post' | 'put' | 'patch' | 'delete', route: unknown[]): unknown {
    const app = this.getInstance<Application>();
    const [path, ...handlers] = route;
    const group = this.groups.routerFor(path);
    if (!group) return (app[method] as (...route: unknown[]) => unknown).apply(app, route);
    // Nest registers all middleware before the first route.
    if (!this.isGrouping) app.use(this.groups.handle);
    this.isGrouping = true;
    this.known.add(method, path);
    return group[method](path as string, ...handlers.map((handler) => seenToItsEnd(handler as Handler)));
  }
}

/** Headers that Nest sets before it reads a file. */
const FILE_HEADERS = ['Content-Type', 'Content-Disposition', 'Content-Length'] as const;
/** Nest's default error handler; each file has its own copy with the same source text. */
const NEST_ANSWERS = new StreamableFile(new Uint8Array()).errorHandler.toString();

/**
 * A file that cannot be read is a 500, where Nest would send a 400. Custom error handlers are kept, and Nest aborts a file
 * that was partly sent.
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

/** Reports when a handler, as wrapped by Nest with guards, interceptors, pipes and filters, has finished. */
function seenToItsEnd(handler: Handler): RequestHandler {
  return async (request, response: ProjectedResponse, next) => {
    try {
      await handler(request, response, next);
    } finally {
      response.settlement?.handled();
    }
  };
}
