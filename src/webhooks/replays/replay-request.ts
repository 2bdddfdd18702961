import { invalidFields } from '../../common/http/validation.pipe.js';
import { endIdOf, firstIdOf, parsePeriod } from '../events/event-period.js';
import type { ReplaySelection, WebhookReplayCreateRequest } from './webhook-replay.dto.js';
import type { WebhookReplayEntity } from './webhook-replay.entity.js';

/** What a replay is to do, as stored. */
export type ReplayTerms = Pick<
  WebhookReplayEntity,
  'selection' | 'since' | 'until' | 'askedUntil' | 'fromId' | 'endId' | 'position'
>;

/** @throws validation_failed for invalid dates, a start in the future, or an end before the start */
export function termsOf(request: WebhookReplayCreateRequest, now: Date): ReplayTerms {
  const { from, until: askedUntil } = parsePeriod(request);
  const since = from ?? new Date(0);
  if (askedUntil !== null && askedUntil < since) {
    throw invalidFields([{ field: 'endDate', message: 'endDate must not be before startDate' }]);
  }
  if (since > now) throw invalidFields([{ field: 'startDate', message: 'startDate must not be in the future' }]);
  const until = askedUntil === null || askedUntil > now ? now : askedUntil;
  const fromId = firstIdOf({ from: since, until });
  const selection: ReplaySelection = request.messages ?? 'all';
  return { selection, since, until, askedUntil, fromId, endId: endIdOf({ from: since, until })!, position: fromId };
}

/** Whether two requests ask for the same replay. */
export const isSameRequest = (one: ReplayTerms, other: ReplayTerms): boolean =>
  one.selection === other.selection &&
  one.since.getTime() === other.since.getTime() &&
  one.askedUntil?.getTime() === other.askedUntil?.getTime();
