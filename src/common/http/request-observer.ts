import type { ServiceRequest } from './request.js';

/** Somebody who wants to know of every request. Called on the hot path: a microsecond is a long time here. */
export interface RequestObserver {
  /** When a request has its id and nothing else yet. */
  received?(request: ServiceRequest): void;
  /** When its answer is over; whose operation it was is known by then. */
  answered(request: ServiceRequest, status: number, durationMs: number): void;
}

/** One observer for several; null when there are none, so that nothing is measured. */
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
