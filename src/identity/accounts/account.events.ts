import { IntegerField, UuidField } from '../../common/fields/index.js';
import { SecurityEvent } from '../../common/security/index.js';
import { defineEvent, type EventDraft } from '../../database/index.js';

/** Two merged users. */
export class MergePayload {
  @UuidField({ description: 'The remaining user.' })
  userId!: string;

  @UuidField({ description: 'The user who was merged into the other one.' })
  fromUserId!: string;

  @IntegerField({ description: 'Credentials that moved to the other user.' })
  credentials!: number;
}

export const USER_MERGED = defineEvent(
  'user.merged',
  'Two users were merged: the credentials of one now belong to the other.',
  {
    payload: MergePayload,
    security: SecurityEvent.UsersMerged,
  },
);
export const USER_UNMERGED = defineEvent(
  'user.unmerged',
  'An operator has undone a merge: there are two separate users again.',
  {
    payload: MergePayload,
    security: SecurityEvent.UsersMerged,
  },
);

/** @param causedBy the end user who acted; null if an operator did */
export const mergeEvent = (event: EventDraft['event'], data: MergePayload, causedBy: string | null): EventDraft => ({
  event,
  resourceId: data.userId,
  data: { ...data },
  userId: causedBy,
});
