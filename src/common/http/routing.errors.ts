import { defineError } from '../errors/index.js';

export const unknownOperation = defineError({
  code: 'unknown_operation',
  status: 404,
  message: 'No operation has this path.',
  hint: 'See payload.nearest for operations with similar paths, and /docs for all of them.',
  cause:
    'The path is misspelled, lacks a part such as `/api/v0` or the environment, or belongs to another version of the service.',
  fix: 'Compare the path with those in `payload.nearest` and in `openapi.json`. Nothing was looked up.',
});
