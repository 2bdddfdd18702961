import { defineError } from '../../common/errors/index.js';

/** Limit on unanswered invites per organization. */
export const MAX_OPEN_INVITES = 100;
/** Limit on invite emails per organization and day. */
export const MAX_INVITES_A_DAY = 300;
export const INVITE_DAYS = 7;

export const inviteAddressRequired = defineError({
  code: 'invite_address_required',
  status: 422,
  message: 'An invite needs an email address.',
  hint: 'Send the person’s email; invites are sent only by email.',
  cause: 'The request names no email address. A wallet or a phone number can be sent in addition, but not instead.',
  fix: 'Send `email` with the address that the person signs in with.',
});

export const invalidEmailAddress = defineError({
  code: 'invalid_email_address',
  status: 422,
  message: 'This email address is not valid.',
  hint: 'Give one address with a domain, such as ann@example.com.',
  cause: 'The text is not an address of at most 255 characters with a domain that has a dot.',
  fix: 'Correct the address and send the request again.',
});

export const inviteExists = defineError({
  code: 'invite_exists',
  status: 409,
  message: 'There is already an open invite for this address.',
  hint: 'Withdraw the open invite before you send another one.',
  cause: 'An organization has at most one open invite for an address.',
  fix: "List the organization's invites, withdraw the one for this address, and invite again.",
});

export const alreadyMember = defineError({
  code: 'already_member',
  status: 409,
  message: 'A member of the organization has this address.',
  hint: 'Change the role of the member instead.',
  cause: 'The address belongs to someone who is already a member of the organization.',
  fix: 'No action is needed; to give the member another role, change the role.',
});

export const tooManyInvites = defineError({
  code: 'too_many_invites',
  status: 422,
  message: `The organization has ${MAX_OPEN_INVITES} open invites already.`,
  hint: 'Withdraw invites that are no longer wanted, or wait for answers.',
  cause: `An organization has at most ${MAX_OPEN_INVITES} invites that are neither answered nor expired.`,
  fix: 'Withdraw open invites; expired ones do not count.',
});

export const invalidInvite = defineError({
  code: 'invalid_invite',
  status: 422,
  message: 'The invite cannot be accepted or rejected.',
  hint: 'Ask the organization for a new invite.',
  cause:
    'The invite was already answered or has expired, its sender may no longer assign that role, or the person is already a member.',
  fix: 'Ask an admin of the organization for a new invite. An answer is `accepted` or `rejected`.',
});
