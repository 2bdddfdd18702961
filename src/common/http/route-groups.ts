import { Router, type RequestHandler } from 'express';
import { API_PREFIX } from './operation.js';

const PREFIX = `/${API_PREFIX}/`;
/** In `/api/v0/sdk/:environmentId/users/password`, the words `sdk`, `users` and `password`. */
const WORDS = [3, 5, 6] as const;
const ANYTHING = '*';

/**
 * Groups operations into Express routers by the most distinctive words of their paths. Express tries routes one by one, so
 * that with groups a request checks a few instead of several hundred. Only Express decides whether a path matches. A word in
 * a path takes precedence over a variable, as in OpenAPI ("Path Templating Matching"), regardless of module order; within
 * a group the order of registration decides.
 */
export class RouteGroups {
  private readonly groups = new Map<string, Router>();

  /** The router for a route; null for a path that is not an operation. */
  routerFor(path: unknown): Router | null {
    if (typeof path !== 'string' || !path.startsWith(PREFIX)) return null;
    const [first, second, third] = wordsOf(fixed(path));
    if (!/^\w+$/.test(first)) return null;
    const key = keyOf(first, wordOr(second), wordOr(third));
    let router = this.groups.get(key);
    if (!router) this.groups.set(key, (router = Router()));
    return router;
  }

  /** Express middleware that passes a request to the possible routers in turn. */
  readonly handle: RequestHandler = (request, response, next) => {
    if (!request.path.toLowerCase().startsWith(PREFIX)) return next();
    const [first, second, third] = wordsOf(request.path);
    const keys = [
      keyOf(first, second, third),
      keyOf(first, second, ANYTHING),
      keyOf(first, ANYTHING, third),
      keyOf(first, ANYTHING, ANYTHING),
    ];
    const tryFrom = (at: number): void => {
      const key = keys[at];
      if (key === undefined) return next();
      const router = this.groups.get(key);
      if (!router) return tryFrom(at + 1);
      router(request, response, (error?: unknown) => (error ? next(error) : tryFrom(at + 1)));
    };
    tryFrom(0);
  };
}

function wordsOf(path: string): [string, string, string] {
  const words = path.toLowerCase().split('/');
  const [first, second, third] = WORDS.map((at) => words[at] ?? '');
  return [first!, second!, third!];
}

/** Replaces everything from the first wildcard or optional part with ANYTHING: words after it have no fixed position. */
function fixed(path: string): string {
  const words = path.split('/');
  const open = words.findIndex((word) => /[*{]/.test(word));
  if (open < 0) return path;
  const places = Math.max(words.length, WORDS[2] + 1);
  return Array.from({ length: places }, (_, at) => (at < open ? words[at] : ANYTHING)).join('/');
}

const wordOr = (word: string): string => (/^[\w.-]*$/.test(word) ? word : ANYTHING);
const keyOf = (...words: [string, string, string]): string => words.join('/');
