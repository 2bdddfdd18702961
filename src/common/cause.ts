import { AsyncLocalStorage } from 'node:async_hooks';

/** What work in the background is told about the request that caused it. */
export interface Cause {
  requestId: string;
  /** W3C Trace Context of its span, where requests are traced. */
  traceParent?: string;
}

const causes = new AsyncLocalStorage<Cause>();

/** Runs `work`, and all that it starts, as caused by a request. */
export const withCause = (cause: Cause, work: () => void): void => causes.run(cause, work);

/** Runs `work` as caused by nobody: a job serves everyone, whoever happened to wake it. */
export const withoutCause = <T>(work: () => T): T => causes.exit(work);

/** The request that this code runs for; undefined in the background. */
export const currentCause = (): Cause | undefined => causes.getStore();
