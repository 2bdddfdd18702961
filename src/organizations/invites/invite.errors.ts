import { defineError } from '../../common/errors/index.js';

/** Invites of one organization that nobody has answered yet. */
export const MAX_OPEN_INVITES = 100;
/** Emails with invites that one organization may send in a day. */
export const MAX_INVITES_A_DAY = 300;
export const INVITE_DAYS = 7;

export const inviteAddressRequired = defineError({
  code: 'invite_address_required',
  status: 422,
  message: 'An invite needs an email address.',
  hint: 'Give the email of the person; invites are sent by email alone.',
  cause: 'The request names no email address. A wallet or a phone number may be given beside it, not instead.',
  fix: 'Send `email` with the address that the person signs in with.',
});

export const invalidEmailAddress = defineError({
  code: 'invalid_email_address',
  status: 422,
  message: 'Nothing can be sent to this email address.',
  hint: 'Give one address with a domain, such as ann@example.com.',
  cause: 'The text is not an address of at most 255 characters with a domain that has a dot.',
  fix: 'Correct the address and send the request again.',
});

export const inviteExists = defineError({
  code: 'invite_exists',
  status: 409,
  message: 'There is an open invite to this address.',
  hint: 'Withdraw the open invite first, to send another one.',
  cause: 'An organization has at most one open invite for an address.',
  fix: "List the organization's invites, withdraw the one for this address, and invite again.",
});

export const alreadyMember = defineError({
  code: 'already_member',
  status: 409,
  message: 'A member of the organization has this address.',
  hint: 'Change the role of the member instead.',
  cause: 'The address belongs to somebody who is a member of the organization already.',
  fix: 'Nothing has to be done; to give the member another role, change the role.',
});

export const tooManyInvites = defineError({
  code: 'too_many_invites',
  status: 422,
  message: `The organization has ${MAX_OPEN_INVITES} open invites already.`,
  hint: 'Withdraw invites that are no longer wanted, or wait for answers.',
  cause: `An organization has at most ${MAX_OPEN_INVITES} invites that are neither answered nor expired.`,
  fix: 'Withdraw open invites; those that have expired count no more.',
});

export const invalidInvite = defineError({
  code: 'invalid_invite',
  status: 422,
  message: 'The invite cannot be answered so.',
  hint: 'Ask the organization for a new invite.',
  cause:
    'The invite was answered or has expired, whoever made it may no longer give that role, or the person is a member already.',
  fix: 'Ask an admin of the organization for a new invite. An answer is `accepted` or `rejected`.',
});
