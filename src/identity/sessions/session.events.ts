import { SecurityEvent } from '../../common/security/index.js';
import { defineEvent, type EventDraft } from '../../database/index.js';
import { SessionPayload } from './session-payload.dto.js';
import type { Session } from './session.entity.js';

export const SESSION_CREATED = defineEvent('user.session.created', 'A user signed in.', {
  payload: SessionPayload,
  security: SecurityEvent.SignedIn,
});
export const SESSION_REVOKED = defineEvent(
  'user.session.revoked',
  'A session was ended early: by its user, by the application, by a limit, or because a token was reused.',
  { payload: SessionPayload, security: SecurityEvent.SessionEnded },
);

type PublishedSession = Pick<Session, 'id' | 'userId' | 'createdAt' | 'ipAddress' | 'userAgent' | 'revokedAt'>;

/** A session in an event: as the API shows it, plus its user; never a token. */
function draft(event: EventDraft['event'], session: PublishedSession, causedBy: string | null): EventDraft {
  const { id, userId, createdAt, ipAddress, userAgent, revokedAt } = session;
  const data = {
    id,
    userId,
    createdAt,
    ...(ipAddress !== null && { ipAddress }),
    ...(userAgent !== null && { userAgent }),
    ...(revokedAt !== null && { revokedAt }),
  };
  return { event, resourceId: id, data, userId: causedBy };
}

export const sessionCreated = (session: PublishedSession): EventDraft =>
  draft(SESSION_CREATED, session, session.userId);

/** @param causedBy the end user who ended it; null if the service or an application did */
export const sessionRevoked = (session: PublishedSession, causedBy: string | null): EventDraft =>
  draft(SESSION_REVOKED, session, causedBy);
