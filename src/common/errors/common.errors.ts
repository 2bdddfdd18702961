import { defineError } from './define-error.js';
import { SecurityEvent } from '../security/security-event.js';

export const validationFailed = defineError({
  code: 'validation_failed',
  status: 400,
  message: 'The request is not valid.',
  hint: 'See payload.fields: each entry names a field and what is wrong with it.',
  cause: 'A field is missing, has the wrong type, breaks a limit, or is not part of the operation.',
  fix: 'Correct the fields listed in `payload.fields` and send the request again. Nothing was written.',
});

export const malformedBody = defineError({
  code: 'malformed_body',
  status: 400,
  message: 'The body could not be read as JSON.',
  hint: 'Send one JSON value in UTF-8, at most 32 levels deep, without NUL characters, reserved or repeated keys, or whole numbers beyond 2^53.',
  cause:
    'The body is not valid JSON in UTF-8, is nested too deeply, or contains a NUL character, a lone surrogate, a key such as `__proto__`, one key twice in an object, or a number that would lose digits.',
  fix: 'Build the body with a JSON library, without such characters and keys; send whole numbers beyond 2^53 as strings.',
});

/** For Nest exceptions thrown by code outside the service, such as extensions: it takes their status. */
export const refused = defineError({
  code: 'refused',
  status: 400,
  message: 'The request was refused.',
  hint: 'See `error`, which may give the reason, and the status.',
  cause:
    'An extension of this deployment refused the request with an exception of Nest. The status is the one it chose, 400 or another one below 500.',
  fix: 'Ask the team that runs this deployment. Nothing was written.',
});

export const unauthorized = defineError({
  code: 'unauthorized',
  status: 401,
  message: 'A valid credential is required.',
  hint: 'Send Authorization: Bearer <token>: an API token outside /sdk, a user token inside.',
  cause: 'The credential is missing, malformed, expired, revoked, or of the wrong kind for this path.',
  fix: 'Sign in again or mint a new token. API tokens work outside `/sdk`, user tokens inside it; tokens are never read from the query string.',
});

export const forbidden = defineError({
  code: 'forbidden',
  status: 403,
  security: SecurityEvent.PermissionRefused,
  message: 'The caller is known but may not do this.',
  hint: 'The operation lists the scope or role it needs; ask an owner or admin of the organization for it.',
  cause: 'The API token lacks the scope, or the member lacks the role, that the operation requires.',
  fix: 'Use a token with the scope shown for the operation in /docs, or have the role changed.',
});

export const notFound = defineError({
  code: 'not_found',
  status: 404,
  message: 'No such record.',
  hint: 'Check the id, and that it belongs to the environment of the token.',
  cause:
    'The id does not exist, was deleted, or belongs to another environment or organization. Or users of several environments of the caller have it, and the path does not name one.',
  fix: 'Get the id from a list operation of the same environment. Other tenants’ records look exactly like missing ones.',
});

export const methodNotAllowed = defineError({
  code: 'method_not_allowed',
  status: 405,
  message: 'This path does not support that method.',
  hint: 'See /docs for the methods of this path.',
  cause: 'The path exists with other methods.',
  fix: 'Use one of the documented methods.',
});

export const conflict = defineError({
  code: 'conflict',
  status: 409,
  message: 'Another request changed the same record.',
  hint: 'Read the record again and repeat the change.',
  cause: 'Two requests changed the same record at the same time, and this one lost.',
  fix: 'Repeat the request; nothing was written.',
});

export const payloadTooLarge = defineError({
  code: 'payload_too_large',
  status: 413,
  message: 'The body is larger than this operation accepts.',
  hint: 'Bodies can have up to 100 KB, or 1 MB for bulk operations.',
  cause: 'The request body exceeds the limit of the operation.',
  fix: 'Send less in one request, or split a bulk request.',
});

export const unsupportedMediaType = defineError({
  code: 'unsupported_media_type',
  status: 415,
  message: 'The body must be application/json.',
  hint: 'Send Content-Type: application/json with a UTF-8 body and no content encoding.',
  cause: 'The content type, charset or content encoding is not supported.',
  fix: 'Send UTF-8 JSON with `Content-Type: application/json`.',
});

export const tooManyRequests = defineError({
  code: 'too_many_requests',
  status: 429,
  security: SecurityEvent.RateLimited,
  message: 'Too many requests.',
  hint: 'Wait for the seconds given in Retry-After, then try again.',
  cause: 'A limit per client address, environment or identifier is used up.',
  fix: 'Slow down; the `RateLimit-*` headers say what is left. Operators scale limits with `RATE_LIMIT_SCALE`.',
});

export const internalError = defineError({
  code: 'internal_error',
  status: 500,
  message: 'Something went wrong on our side.',
  hint: 'Report the request id to the operator; the log holds the cause.',
  cause: 'An unexpected error in the service.',
  fix: 'Find the request id in the log of the service.',
});

export const serviceUnavailable = defineError({
  code: 'service_unavailable',
  status: 503,
  message: 'The service cannot do this right now.',
  hint: 'Try again after the seconds given in Retry-After.',
  cause: 'The database, the key vault or another dependency is unreachable or overloaded.',
  fix: 'Retry with back-off. Operators: run `npm run doctor`.',
});
