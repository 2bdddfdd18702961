import { Router, type RequestHandler } from 'express';
import { API_PREFIX } from './operation.js';

const PREFIX = `/${API_PREFIX}/`;
/** Of `/api/v0/sdk/:environmentId/session` the words `sdk` and `session`. */
const FIRST_WORD = 3;
const SECOND_WORD = 5;
const ANYTHING = '*';

/**
 * Operations in groups, each a router of Express, by the two words of their paths that tell most of them apart. Express
 * tries every route in turn; of some hundreds a request then looks at those few that it can mean. What fits a path is
 * decided by Express alone. A word in a path is preferred to a variable, as OpenAPI has it ("Path Templating Matching");
 * within a group the order of registration decides.
 */
export class RouteGroups {
  private readonly groups = new Map<string, Router>();

  /** Where a route belongs; null for a path that is no operation's. */
  routerFor(path: unknown): Router | null {
    if (typeof path !== 'string' || !path.startsWith(PREFIX)) return null;
    const words = path.toLowerCase().split('/');
    const first = words[FIRST_WORD] ?? '';
    if (!/^\w+$/.test(first)) return null;
    const second = words[SECOND_WORD] ?? '';
    const key = keyOf(first, /^[\w.-]*$/.test(second) ? second : ANYTHING);
    let router = this.groups.get(key);
    if (!router) this.groups.set(key, (router = Router()));
    return router;
  }

  /** A layer of Express that hands a request to the routers that it can mean. */
  readonly handle: RequestHandler = (request, response, next) => {
    const path = request.path.toLowerCase();
    if (!path.startsWith(PREFIX)) return next();
    const words = path.split('/');
    const first = words[FIRST_WORD] ?? '';
    const group = this.groups.get(keyOf(first, words[SECOND_WORD] ?? ''));
    const rest = this.groups.get(keyOf(first, ANYTHING));
    const tryRest = rest ? (error?: unknown) => (error ? next(error) : rest(request, response, next)) : next;
    if (group) group(request, response, tryRest);
    else tryRest();
  };
}

const keyOf = (first: string, second: string): string => `${first}/${second}`;
