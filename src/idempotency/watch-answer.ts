import type { NextFunction } from 'express';
import type { ProjectedResponse } from '../common/http/projecting.adapter.js';
import type { CallSettlement } from './call-settlement.js';
import { holdAnswer } from './held-answer.js';
import { callTookTooLong } from './idempotency.errors.js';

/**
 * Ensures that a keyed call ends, whoever responds to it, if anybody does: its transaction holds a database connection,
 * forever if nobody ends it.
 *
 * - A result, or an error handled by the service's filter, is settled where the response is made.
 * - A response written directly (`@Res()`, an extension's filter, a stream) is held back until it is settled.
 * - A client's disconnect changes nothing while the handler is running: a retry gets the response. If the handler has
 *   ended without a response, the call is rolled back.
 * - A call without a response in time is rolled back, and whatever its handler does later is rejected.
 */
export function watchAnswer(
  response: ProjectedResponse,
  settlement: CallSettlement,
  next: NextFunction,
  patienceMs: number,
): void {
  const release = holdAnswer(response, settlement, next);
  let isHandled = false;
  const undoUnanswered = (): void => {
    if (isHandled && response.destroyed && settlement.isOpen) settlement.cancel();
  };
  const deadline = setTimeout(() => {
    settlement.cancel();
    if (response.headersSent) response.destroy();
    else next(callTookTooLong());
  }, patienceMs);
  deadline.unref();
  response.once('close', undoUnanswered);
  settlement.watch({
    handled: () => {
      isHandled = true;
      undoUnanswered();
    },
    over: () => {
      clearTimeout(deadline);
      response.off('close', undoUnanswered);
      release();
    },
  });
}
