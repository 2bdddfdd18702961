import { defineError } from '../../common/errors/index.js';

export const invalidAllowlist = defineError({
  code: 'invalid_allowlist',
  status: 422,
  message: 'The allowlist is not valid.',
  hint: 'See payload.additionalMessages: each names a field and what is wrong with it.',
  cause: 'A new list has no name, a scope is malformed or reserved, or the outcome scope comes without a scope.',
  fix: 'Correct what `payload.additionalMessages` names. Nothing was written.',
});

export const allowlistAlreadyExists = defineError({
  code: 'allowlist_already_exists',
  status: 422,
  message: 'The environment already has an allowlist with this name.',
  hint: 'Choose another name, or change the list that is there.',
  cause: 'Names of allowlists are unique in an environment.',
  fix: 'List the allowlists of the environment and choose a name that none of them has.',
});

export const tooManyAllowlists = defineError({
  code: 'too_many_allowlists',
  status: 422,
  message: 'The environment has reached the limit of allowlists.',
  hint: 'Delete an allowlist first.',
  cause: 'An environment may have 50 allowlists, disabled ones included.',
  fix: 'Delete allowlists that are no longer needed.',
});

export const invalidAllowlistEntry = defineError({
  code: 'invalid_allowlist_entry',
  status: 422,
  message: 'This entry does not identify anyone.',
  hint: 'See payload.additionalMessages: each names a field and what is wrong with it.',
  cause: 'The entry is empty, or an address, email, domain, number or id in it is not valid.',
  fix: 'Correct what `payload.additionalMessages` names. Nothing was written.',
});

export const allowlistEntryAlreadyExists = defineError({
  code: 'allowlist_entry_already_exists',
  status: 422,
  message: 'The allowlist already has an entry with one of these values.',
  hint: 'Delete the other entry first, or omit the value that it has.',
  cause:
    'Within a list, each wallet, email, domain, number, name or id belongs to one entry; different spellings count as the same.',
  fix: 'Search the entries of the list for the value.',
});

export const allowlistFull = defineError({
  code: 'allowlist_full',
  status: 422,
  message: 'The allowlist is full.',
  hint: 'Delete entries, or start another list.',
  cause: 'An allowlist may have 1,000,000 entries.',
  fix: 'Use several lists: with the outcome siteAccess, being on one of them is enough.',
});
