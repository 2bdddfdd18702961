import { projectionOf } from '../fields/index.js';
import { operationOf, resultOf, type ResultDeclaration } from './operation.js';

/** How the result of an operation is serialised. */
export interface ResultCarrier {
  /** Keeps only the declared fields of a result; undefined if there is no body. */
  project(result: unknown): unknown;
  /** The body: JSON of the projection. */
  write(result: unknown): string | undefined;
  /** `Cache-Control` of cacheable responses; null for the default. */
  readonly cacheControl: string | null;
}

const carriers = new WeakMap<object, ResultCarrier>();

/** The serialisation of a handler's results, through the projection of its declared class. */
export function resultCarrierOf(handler: object): ResultCarrier {
  let carrier = carriers.get(handler);
  if (!carrier) carriers.set(handler, (carrier = makeCarrier(handler)));
  return carrier;
}

function makeCarrier(handler: object): ResultCarrier {
  const result = resultOf(handler);
  if (!result) throw new Error(`The operation ${operationOf(handler)?.id ?? '?'} declares no result.`);
  const project = projectionFor(result);
  const write = (value: unknown): string | undefined => JSON.stringify(project(value));
  const { maxAgeSeconds } = result;
  return maxAgeSeconds === undefined
    ? { project, write, cacheControl: null }
    : { project, write: oncePerObject(write), cacheControl: `public, max-age=${maxAgeSeconds}` };
}

function projectionFor(result: ResultDeclaration): (value: unknown) => unknown {
  if (result.project) return result.project;
  if (!result.type) return () => undefined;
  const project = projectionOf(result.type);
  return result.list ? (value) => (value as unknown[]).map(project) : project;
}

/** Cacheable results are the same object for everyone, so each is serialised only once. */
function oncePerObject(write: (value: unknown) => string | undefined): (value: unknown) => string | undefined {
  const written = new WeakMap<object, string | undefined>();
  return (value) => {
    const key = value as object;
    let text = written.get(key);
    if (text === undefined) written.set(key, (text = write(value)));
    return text;
  };
}
