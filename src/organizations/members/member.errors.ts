import { defineError } from '../../common/errors/index.js';

export const MAX_MEMBERS = 1_000;

export const lastOwner = defineError({
  code: 'last_owner',
  status: 422,
  message: 'The organization would be left without an owner.',
  hint: 'Make another member an owner first.',
  cause: 'The last owner of an organization cannot be removed, lose the role or be deleted.',
  fix: 'Give another member the role `owner`, or transfer the ownership, and try again.',
});

export const membersCannotDeleteThemself = defineError({
  code: 'members_cannot_delete_themself',
  status: 422,
  message: 'You cannot remove yourself from the organization.',
  hint: 'Ask another admin or owner of the organization to remove you.',
  cause: 'The member named is the caller.',
  fix: 'Have another admin or owner remove the member.',
});

export const invalidDelegation = defineError({
  code: 'invalid_delegation',
  status: 422,
  message: 'Ownership can only be transferred from an owner to an admin of the same organization.',
  hint: 'Name an owner in the path and an admin in adminMemberIdToDelegate.',
  cause: 'The member in the path is not an owner, or the other one is not an admin.',
  fix: 'List the members of the organization; make the successor an admin first.',
});

export const tooManyMembers = defineError({
  code: 'too_many_members',
  status: 422,
  message: 'The organization has reached the limit of members.',
  hint: 'Remove members who no longer need access.',
  cause: `An organization has at most ${MAX_MEMBERS} members.`,
  fix: 'Remove a member, or create another organization.',
});

export const roleWithdrawn = defineError({
  code: 'role_withdrawn',
  status: 403,
  message: 'Your role changed while this call was running.',
  hint: 'Ask an owner for the role, and call again.',
  cause: 'The caller’s role was sufficient when the call began, but was removed before it took effect.',
  fix: 'Nothing was written. Call again with the role that the operation needs.',
});
