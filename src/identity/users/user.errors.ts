import { defineError } from '../../common/errors/index.js';

export const metadataSizeExceeded = defineError({
  code: 'metadata_size_exceeded',
  status: 422,
  message: 'The metadata exceeds 16 384 bytes of JSON.',
  hint: 'Keep large values elsewhere and store a reference in the metadata.',
  cause: 'The `metadata` of a user, written as JSON in UTF-8, is larger than 16 384 bytes.',
  fix: 'Send smaller metadata.',
});

export const invalidUpdate = defineError({
  code: 'invalid_update',
  status: 422,
  message: 'The id of the body is not the id of the path.',
  hint: 'Leave id out of the body: a user keeps the id it was created with.',
  cause: 'The body of an update names another user than its path.',
  fix: 'Remove `id` from the body, or correct the path.',
});

export const invalidUser = defineError({
  code: 'invalid_user',
  status: 422,
  message: 'The identifier names no user.',
  hint: 'Check the identifier, its type, and that the user belongs to this environment.',
  cause: 'A user was named by an id that does not exist here, or by an identifier that lacks its provider or value.',
  fix: 'Read the id from a list of users of the same environment; give `socialProvider` with a social identifier.',
});

export const ambiguousIdentifier = defineError({
  code: 'ambiguous_identifier',
  status: 422,
  message: 'Several users of this environment have this identifier.',
  hint: 'Remove the identifier from all users but one; none of them is chosen by guess.',
  cause: 'API calls gave the same email or social account to more than one user, so it tells nobody apart.',
  fix: 'List the users by the identifier, then delete or correct the ones that should not have it.',
});

export const invalidEmail = defineError({
  code: 'invalid_email',
  status: 422,
  message: 'This is not an email address.',
  hint: 'Use the form name@example.com.',
  cause: 'The text is not an address with a domain.',
  fix: 'Correct the address.',
});

export const invalidPhone = defineError({
  code: 'invalid_phone',
  status: 422,
  message: 'This is not a phone number.',
  hint: 'Use the international form with a plus sign, or give the country code beside the number.',
  cause: 'The number does not exist in the numbering plan of its country, or no country is given.',
  fix: 'Send the number as E.164, such as +41446681800.',
});

export const invalidUsername = defineError({
  code: 'invalid_username',
  status: 422,
  message: 'This is not a username.',
  hint: 'Use letters, digits, hyphens and underscores.',
  cause: 'The name holds a character that usernames may not have.',
  fix: 'Choose another name.',
});

export const nameServiceNotAvailable = defineError({
  code: 'name_service_not_available',
  status: 422,
  message: 'This environment has no name service, so it has no handles.',
  hint: 'Check email or username instead.',
  cause: 'The availability of a name-service handle was asked for where none can be registered.',
  fix: 'Do not offer handles in this environment.',
});
