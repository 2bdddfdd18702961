/** Rung when events are written. */
export const DISPATCH_BELL = 'events.dispatch';
/** Rung when messages are due. */
export const DELIVER_BELL = 'webhooks.deliver';
/** Rung when webhooks may have been deleted. */
export const PURGE_BELL = 'webhooks.purge';
/** Rung when a replay has begun or has more to do. */
export const REPLAY_BELL = 'webhooks.replay';
/** Rung when owners are to be notified of a disabled webhook. */
export const NOTICE_BELL = 'webhooks.notices';
