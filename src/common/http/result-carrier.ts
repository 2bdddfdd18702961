import { projectionOf } from '../fields/index.js';
import { operationOf, resultOf, type ResultDeclaration } from './operation.js';

/** How the result of an operation leaves the service. */
export interface ResultCarrier {
  /** Keeps of a result what its declared class declares; undefined where nothing is answered. */
  project(result: unknown): unknown;
  /** The body: JSON of the projection. */
  write(result: unknown): string | undefined;
  /** `Cache-Control` of answers that anyone may keep; null where the standard one holds. */
  readonly cacheControl: string | null;
}

const carriers = new WeakMap<object, ResultCarrier>();

/** How results of a handler leave: through the projection of its declared class, so that nothing else does. */
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

/** What everyone may keep is the same object for everyone, so its text is made once. */
function oncePerObject(write: (value: unknown) => string | undefined): (value: unknown) => string | undefined {
  const written = new WeakMap<object, string | undefined>();
  return (value) => {
    const key = value as object;
    let text = written.get(key);
    if (text === undefined) written.set(key, (text = write(value)));
    return text;
  };
}
