import { SecurityEvent } from '../../common/security/index.js';
import { defineEvent } from '../../database/index.js';
import { MemberPayload } from './member.dto.js';

const OF_MEMBER = { payload: MemberPayload, ofOrganization: true, security: SecurityEvent.RoleChanged };

export const MEMBER_ADDED = defineEvent('member.added', 'Somebody became a member of an organization.', OF_MEMBER);
export const MEMBER_UPDATED = defineEvent('member.updated', "A member's role was changed.", OF_MEMBER);
export const MEMBER_REMOVED = defineEvent('member.removed', 'A member was removed from an organization.', OF_MEMBER);
