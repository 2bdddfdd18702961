import type { ServiceRequest } from './request.js';

/** What proxies log of a request whose client closed the connection before it was answered. */
export const CLIENT_LEFT = 499;

/** Observes every request. Called on the hot path: a microsecond is a long time here. */
export interface RequestObserver {
  /** Called once a request has its id, before anything else. */
  received?(request: ServiceRequest): void;
  /** Called once the response is finished; the operation is known by then. `CLIENT_LEFT` if it never began. */
  answered(request: ServiceRequest, status: number, durationMs: number): void;
}

/** Combines observers; null if there are none, so that nothing is measured. */
export function observeAll(observers: readonly RequestObserver[]): RequestObserver | null {
  const [first, ...others] = observers;
  if (!first) return null;
  if (others.length === 0) return first;
  return {
    received: (request) => {
      for (const observer of observers) observer.received?.(request);
    },
    answered: (request, status, durationMs) => {
      for (const observer of observers) observer.answered(request, status, durationMs);
    },
  };
}
