import { Router, type NextFunction, type Request, type RequestHandler, type Response } from 'express';
import { API_PREFIX } from './operation.js';

const PREFIX = `/${API_PREFIX}/`;
/** Of `/api/v0/sdk/:environmentId/session` the words `sdk` and `session`. */
const FIRST_WORD = 3;
const SECOND_WORD = 5;
const ANYTHING = '*';

/** A route as it is compared with the words of a path. */
interface PlainRoute {
  readonly path: string;
  readonly method: string;
  /** The words of its path in lower case; a variable is null. */
  readonly words: readonly (string | null)[];
  /** Names of variables and their places. */
  readonly variables: readonly (readonly [name: string, place: number])[];
  readonly handler: RequestHandler;
}

interface Found {
  readonly route: PlainRoute;
  /** The path as it was written. */
  readonly asked: string;
}

interface IndexedRequest {
  url: string;
  method?: string;
  found?: Found;
}

/** Routes whose paths begin alike. */
class Group {
  readonly router = Router();
  private readonly routes: PlainRoute[] = [];

  add(method: string, path: string, handler: RequestHandler): void {
    const words = path.split('/');
    if (!words.every((word) => /^(:\w+|[\w.-]*)$/.test(word))) return;
    this.routes.push({
      ...{ path, handler, method: method.toUpperCase() },
      words: words.map((word) => (word.startsWith(':') ? null : word.toLowerCase())),
      variables: words.flatMap((word, place) => (word.startsWith(':') ? [[word.slice(1), place] as const] : [])),
    });
  }

  /** The first that was registered, of those that fit. @param words in lower case */
  find(method: string, words: readonly string[]): PlainRoute | null {
    for (const route of this.routes) {
      if (route.method === method && route.words.length === words.length && fits(route.words, words)) return route;
    }
    return null;
  }
}

function fits(pattern: readonly (string | null)[], words: readonly string[]): boolean {
  for (let at = FIRST_WORD; at < words.length; at += 1) {
    const expected = pattern[at];
    if (expected === null ? words[at] === '' : words[at] !== expected) return false;
  }
  return true;
}

/**
 * Routes of operations in groups, by the two words of their paths that tell most of them apart. Express tries every
 * route in turn; of some hundreds a request then looks at those few that it can mean. A word in a path is preferred to a
 * variable, as OpenAPI has it ("Path Templating Matching"); within a group the order of registration decides.
 *
 * What is asked plainly goes to its handler at once. Express answers the rest: escapes in a path, methods it derives
 * from others, and whatever no route fits.
 */
export class RouteIndex {
  private readonly groups = new Map<string, Group>();

  /** @returns where Express finds it, too; null for a path that is no operation's */
  add(method: string, path: unknown, handler: unknown): Router | null {
    if (typeof path !== 'string' || !path.startsWith(PREFIX)) return null;
    const words = path.toLowerCase().split('/');
    const first = words[FIRST_WORD] ?? '';
    if (!/^\w+$/.test(first)) return null;
    const second = words[SECOND_WORD] ?? '';
    const key = keyOf(first, /^[\w.-]*$/.test(second) ? second : ANYTHING);
    let group = this.groups.get(key);
    if (!group) this.groups.set(key, (group = new Group()));
    group.add(method, path, handler as RequestHandler);
    return group.router;
  }

  /** Whether a request asks plainly for an operation; notes on it which. */
  finds(request: IndexedRequest): boolean {
    const { url } = request;
    const query = url.indexOf('?');
    const asked = query === -1 ? url : url.slice(0, query);
    const words = wordsOf(asked);
    if (!words || asked.includes('%')) return false;
    const first = words[FIRST_WORD] ?? '';
    const group = this.groups.get(keyOf(first, words[SECOND_WORD] ?? ''));
    const rest = this.groups.get(keyOf(first, ANYTHING));
    const method = request.method ?? '';
    const route = group?.find(method, words) ?? rest?.find(method, words) ?? null;
    if (route) request.found = { route, asked };
    return route !== null;
  }

  readonly handle: RequestHandler = (request: IndexedRequest & Request, response, next) => {
    if (request.found || this.finds(request)) return call(request.found!, request, response, next);
    const words = wordsOf(request.path);
    if (!words) return next();
    const first = words[FIRST_WORD] ?? '';
    const group = this.groups.get(keyOf(first, words[SECOND_WORD] ?? ''));
    const rest = this.groups.get(keyOf(first, ANYTHING));
    const tryRest = rest ? (error?: unknown) => (error ? next(error) : rest.router(request, response, next)) : next;
    if (group) group.router(request, response, tryRest);
    else tryRest();
  };
}

/** In lower case; null for a path that is no operation's. */
function wordsOf(asked: string): string[] | null {
  const path = asked.toLowerCase();
  if (!path.startsWith(PREFIX)) return null;
  const words = path.split('/');
  // A slash at the end means the same path.
  if (words.length > FIRST_WORD + 1 && words.at(-1) === '') words.pop();
  return words;
}

/** As Express would: with the variables as they were written. */
function call({ route, asked }: Found, request: Request, response: Response, next: NextFunction): void {
  const given = asked.split('/');
  const params: Record<string, string> = {};
  for (const [name, place] of route.variables) params[name] = given[place]!;
  request.params = params;
  request.route = route;
  const running = route.handler(request, response, next);
  if (running instanceof Promise) running.catch(next);
}

const keyOf = (first: string, second: string): string => `${first}/${second}`;
