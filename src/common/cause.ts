import { AsyncLocalStorage } from 'node:async_hooks';

/** What background work knows about the request that caused it. */
export interface Cause {
  requestId: string;
  /** W3C Trace Context of its span, if requests are traced. */
  traceParent?: string;
}

const causes = new AsyncLocalStorage<Cause>();

/** Runs `work`, and everything it starts, as caused by a request. */
export const withCause = (cause: Cause, work: () => void): void => causes.run(cause, work);

/** Runs `work` without a cause: a job serves all requests, whichever one woke it. */
export const withoutCause = <T>(work: () => T): T => causes.exit(work);

/** The request that this code runs for; undefined in the background. */
export const currentCause = (): Cause | undefined => causes.getStore();
