import { defineError } from '../common/errors/index.js';

export const malformedIdempotencyKey = defineError({
  code: 'malformed_idempotency_key',
  status: 400,
  message: 'The Idempotency-Key is not valid.',
  hint: 'Send one key of 1 to 255 visible ASCII characters, such as a UUID, with or without quotes around it.',
  cause: 'The header is empty, longer than 255 characters, sent twice, or holds a space, a quote or a backslash.',
  fix: 'Generate a UUID for each action that must happen once, and send it with every attempt.',
});

export const idempotencyKeyInUse = defineError({
  code: 'idempotency_key_in_use',
  status: 409,
  message: 'A call with this Idempotency-Key is in progress.',
  hint: 'Repeat the call with the same key after the seconds in Retry-After; it gets the response of the first call.',
  cause: 'Two calls with the same key are in progress at the same time.',
  fix: 'Repeat the call with the same key and body. This one has changed nothing.',
});

export const idempotencyKeyReused = defineError({
  code: 'idempotency_key_reused',
  status: 422,
  message: 'This Idempotency-Key belongs to another request.',
  hint: 'Use a new key for a new request. A repetition has the same path, query and body as the first call.',
  cause: 'The key was used within the last 24 hours for the same operation with another path, query or body.',
  fix: 'Send the request with its own key. Nothing was written.',
});

export const callTookTooLong = defineError({
  code: 'call_took_too_long',
  status: 503,
  message: 'The call took too long and was aborted.',
  hint: 'Repeat the call with the same Idempotency-Key.',
  cause:
    'A call with an Idempotency-Key is one transaction, which is rolled back if there is no answer within 30 seconds.',
  fix: 'Repeat the call with the same key and body. Operators: look for slow statements or a handler that does not end.',
});
