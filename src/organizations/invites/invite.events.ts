import { defineEvent } from '../../database/index.js';
import { InvitePayload } from './invite.dto.js';

const OF_INVITE = { payload: InvitePayload, ofOrganization: true };

export const INVITE_CREATED = defineEvent('invite.created', 'Somebody was invited to an organization.', OF_INVITE);
export const INVITE_ACCEPTED = defineEvent(
  'invite.accepted',
  'An invite was accepted; the person is now a member.',
  OF_INVITE,
);
export const INVITE_REJECTED = defineEvent('invite.rejected', 'An invite was rejected.', OF_INVITE);
export const INVITE_DELETED = defineEvent(
  'invite.deleted',
  'An invite was withdrawn, or its email could not be sent.',
  OF_INVITE,
);

/** Event names; each event contains the address. */
export const INVITE_EVENTS = [INVITE_CREATED, INVITE_ACCEPTED, INVITE_REJECTED, INVITE_DELETED].map(({ name }) => name);
