import type { NextFunction } from 'express';
import type { ProjectedResponse } from '../common/http/projecting.adapter.js';
import type { CallSettlement } from './call-settlement.js';
import { holdAnswer } from './held-answer.js';
import { callTookTooLong } from './idempotency.errors.js';

/**
 * Sees a call with a key to its end, whoever answers it and whether anybody does: its transaction holds a connection to
 * the database, and what nobody ends holds it for good.
 *
 * - A result, or an error that the filter of the service answers, is settled where it is answered.
 * - What is written by hand (`@Res()`, a filter of an extension, a stream) is held until it is settled.
 * - A client that went away changes nothing while the handler is at work: it may ask again, and is answered then. When
 *   the handler has ended without an answer, the call is undone.
 * - A call that nobody has answered in time is undone, and whatever its handler does later is refused.
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
