import type { ApiOperation } from './operations.js';

/** What a call must come to: a success, an answer that no guard gave, or one of these refusals. */
export type Verdict = 'success' | 'open' | readonly number[];

/** Whether a call came to what its operation is for: a result, a way on, or the word that it is retired. */
export const hasSucceeded = ({ statuses }: ApiOperation, status: number): boolean =>
  status < 400 || (status === 410 && !statuses.some((documented) => documented < 400));
