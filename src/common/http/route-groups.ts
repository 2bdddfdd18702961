import { Router, type RequestHandler } from 'express';
import { API_PREFIX } from './operation.js';

const PREFIX = `/${API_PREFIX}/`;
/** Of `/api/v0/sdk/:environmentId/users/password` the words `sdk`, `users` and `password`. */
const WORDS = [3, 5, 6] as const;
const ANYTHING = '*';

/**
 * Operations in groups, each a router of Express, by the words of their paths that tell most of them apart. Express tries
 * every route in turn; of some hundreds a request then looks at those few that it can mean. What fits a path is decided by
 * Express alone. A word in a path is preferred to a variable, as OpenAPI has it ("Path Templating Matching"), whichever
 * module was loaded first; within a group the order of registration decides.
 */
export class RouteGroups {
  private readonly groups = new Map<string, Router>();

  /** Where a route belongs; null for a path that is no operation's. */
  routerFor(path: unknown): Router | null {
    if (typeof path !== 'string' || !path.startsWith(PREFIX)) return null;
    const [first, second, third] = wordsOf(fixed(path));
    if (!/^\w+$/.test(first)) return null;
    const key = keyOf(first, wordOr(second), wordOr(third));
    let router = this.groups.get(key);
    if (!router) this.groups.set(key, (router = Router()));
    return router;
  }

  /** A layer of Express that hands a request to the routers that it can mean, one after the other. */
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

/** Behind a wildcard, or a part that may be absent, any word may stand in any place. */
function fixed(path: string): string {
  const words = path.split('/');
  const open = words.findIndex((word) => /[*{]/.test(word));
  if (open < 0) return path;
  const places = Math.max(words.length, WORDS[2] + 1);
  return Array.from({ length: places }, (_, at) => (at < open ? words[at] : ANYTHING)).join('/');
}

const wordOr = (word: string): string => (/^[\w.-]*$/.test(word) ? word : ANYTHING);
const keyOf = (...words: [string, string, string]): string => words.join('/');
