import { IntegerField, UuidField } from '../../common/fields/index.js';
import { SecurityEvent } from '../../common/security/index.js';
import { defineEvent, type EventDraft } from '../../database/index.js';

/** Two users who are one. */
export class MergePayload {
  @UuidField({ description: 'The user who remains.' })
  userId!: string;

  @UuidField({ description: 'The user who became part of the other one.' })
  fromUserId!: string;

  @IntegerField({ description: 'Credentials that changed their user.' })
  credentials!: number;
}

export const USER_MERGED = defineEvent('user.merged', 'Two users became one: the credentials of one are the other’s.', {
  payload: MergePayload,
  security: SecurityEvent.UsersMerged,
});
export const USER_UNMERGED = defineEvent('user.unmerged', 'An operator has undone a merge: the users are two again.', {
  payload: MergePayload,
  security: SecurityEvent.UsersMerged,
});

/** @param causedBy the end user who acted; null when an operator did */
export const mergeEvent = (event: EventDraft['event'], data: MergePayload, causedBy: string | null): EventDraft => ({
  event,
  resourceId: data.userId,
  data: { ...data },
  userId: causedBy,
});
