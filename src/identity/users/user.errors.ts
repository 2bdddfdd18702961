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
  message: 'The id in the body differs from the id in the path.',
  hint: 'Omit the id from the body: a user’s id cannot be changed.',
  cause: 'The body of the update names a different user from the path.',
  fix: 'Remove `id` from the body, or correct the path.',
});

export const invalidUsername = defineError({
  code: 'invalid_username',
  status: 422,
  message: 'This username is not valid.',
  hint: 'Use letters, digits, hyphens and underscores.',
  cause: 'The name contains a character that is not allowed in usernames.',
  fix: 'Choose another name.',
});

export const usernameAlreadyExists = defineError({
  code: 'username_already_exists',
  status: 422,
  message: 'This username is taken.',
  hint: 'Choose another name.',
  cause:
    'Another user of the environment has the same name, ignoring case. Names are not compared when a server creates a user.',
  fix: 'Choose another name.',
});

export const nameServiceNotAvailable = defineError({
  code: 'name_service_not_available',
  status: 422,
  message: 'This environment has no name service, so there are no handles.',
  hint: 'Check email or username instead.',
  cause: 'The call asked whether a name-service handle is available, but none can be registered here.',
  fix: 'Do not offer handles in this environment.',
});
