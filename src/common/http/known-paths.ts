import { Router, type NextFunction, type Request, type RequestHandler, type Response } from 'express';
import { methodNotAllowed } from '../errors/index.js';
import { nearestPaths } from './nearest-paths.js';
import { API_PREFIX } from './operation.js';
import { unknownOperation } from './routing.errors.js';

const API_PATH = new RegExp(`^/${API_PREFIX}(?:/|$)`, 'i');

/** Explains why a request matches no operation: wrong method or wrong path. */
export class KnownPaths {
  /** Methods by path, in Express syntax. */
  private readonly methods = new Map<string, Set<string>>();
  private router: Router | null = null;

  add(method: string, path: unknown): void {
    if (typeof path !== 'string' || !API_PATH.test(path)) return;
    const known = this.methods.get(path) ?? new Set<string>();
    known.add(method.toUpperCase());
    // Express serves HEAD wherever it serves GET.
    if (method === 'get') known.add('HEAD');
    this.methods.set(path, known);
    this.router = null;
  }

  methodsOf(path: string): string[] {
    return [...(this.methods.get(path) ?? [])].sort();
  }

  /** Express middleware after all routes. */
  readonly explain: RequestHandler = (request, response, next) => {
    // Often that of an operation without the prefix.
    if (!API_PATH.test(request.path)) return next(this.unknown(request));
    const allowed = new Set<string>();
    (response.locals as Allowed).allowed = allowed;
    this.router ??= this.makeRouter();
    this.router(request, response, (error?: unknown) => {
      if (error) return next(error);
      if (allowed.size === 0) return next(this.unknown(request));
      const methods = [...allowed].sort().join(', ');
      response.setHeader('Allow', methods);
      next(methodNotAllowed({ hint: `This path supports ${methods}.` }));
    });
  };

  /** Express itself decides which paths match, so that the two cannot disagree. */
  private makeRouter(): Router {
    const router = Router();
    for (const [path, methods] of this.methods) {
      router.all(path, (_request: Request, response: Response, next: NextFunction) => {
        for (const method of methods) (response.locals as Allowed).allowed.add(method);
        next();
      });
    }
    return router;
  }

  private unknown(request: Request): Error {
    const known = [...this.methods].map(([path, methods]) => ({ path, methods }));
    return unknownOperation({ payload: { nearest: nearestPaths(request.path, known) } });
  }
}

interface Allowed {
  allowed: Set<string>;
}
