import { SecurityEvent } from '../../common/security/index.js';
import { projectionOf } from '../../common/fields/index.js';
import { defineEvent, type EventDefinition, type EventDraft } from '../../database/index.js';
import { User } from './user.dto.js';
import type { FullUser } from './full-user.js';

export const USER_CREATED = defineEvent(
  'user.created',
  'A user was created: by a first sign-in, by an API call, or for a wallet created ahead of time.',
  { payload: User, subject: 'record' },
);
export const USER_UPDATED = defineEvent('user.updated', 'Profile fields of a user were changed.', {
  payload: User,
  subject: 'record',
});
export const USER_DELETED = defineEvent(
  'user.deleted',
  'A user was deleted with all credentials, sessions and claims.',
  { payload: User, subject: 'record', security: SecurityEvent.UserDeleted },
);

/**
 * The event contains the user as the API shows it.
 * @param causedBy the end user who acted; null if a server, a member or the service did
 */
export const userEvent = (event: EventDefinition, user: FullUser, causedBy: string | null): EventDraft => ({
  event,
  resourceId: user.id,
  data: projectionOf(User)(user) as object,
  userId: causedBy,
  externalUserId: causedBy === user.id ? (user.externalUserId ?? null) : null,
});
