import { projectionOf } from '../fields/index.js';
import { operationOf, resultOf } from './operation.js';

/** Makes of a handler's result what may leave the service. */
export type ResultCarrier = (value: unknown) => unknown;

const carriers = new WeakMap<object, ResultCarrier>();

/** How the result of an operation leaves: through the projection of its declared class, so that nothing else does. */
export function resultCarrierOf(handler: object): ResultCarrier {
  let carrier = carriers.get(handler);
  if (!carrier) carriers.set(handler, (carrier = makeCarrier(handler)));
  return carrier;
}

function makeCarrier(handler: object): ResultCarrier {
  const result = resultOf(handler);
  if (!result) throw new Error(`The operation ${operationOf(handler)?.id ?? '?'} declares no result.`);
  if (result.project) return result.project;
  if (!result.type) return () => undefined;
  const project = projectionOf(result.type);
  return result.list ? (value) => (value as unknown[]).map(project) : project;
}
