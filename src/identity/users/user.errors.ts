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

export const invalidUsername = defineError({
  code: 'invalid_username',
  status: 422,
  message: 'This is not a username.',
  hint: 'Use letters, digits, hyphens and underscores.',
  cause: 'The name holds a character that usernames may not have.',
  fix: 'Choose another name.',
});

export const usernameAlreadyExists = defineError({
  code: 'username_already_exists',
  status: 422,
  message: 'Somebody here has this username.',
  hint: 'Choose another name.',
  cause:
    'Another user of the environment has the same name; upper and lower case count as the same. Only names with which servers make users are not compared.',
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
