import type { ApiOperation } from './operations.js';

/** The expected result: a success, any response not from a guard, or one of these refusals. */
export type Verdict = 'success' | 'open' | readonly number[];

/** Whether a call had the operation's intended result: a success, a redirect, or 410 for a retired operation. */
export const hasSucceeded = ({ statuses }: ApiOperation, status: number): boolean =>
  status < 400 || (status === 410 && !statuses.some((documented) => documented < 400));
