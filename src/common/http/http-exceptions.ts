import { STATUS_CODES } from 'node:http';
import type { HttpException } from '@nestjs/common';
import {
  ApiError,
  forbidden,
  methodNotAllowed,
  notFound,
  payloadTooLarge,
  refused,
  serviceUnavailable,
  tooManyRequests,
  unauthorized,
  unsupportedMediaType,
} from '../errors/index.js';

const BY_STATUS = new Map(
  [
    unauthorized,
    forbidden,
    notFound,
    methodNotAllowed,
    payloadTooLarge,
    unsupportedMediaType,
    tooManyRequests,
    serviceUnavailable,
  ].map((factory) => [factory.definition.status, factory] as const),
);

/** Nest's own messages: for guards that return false, and for missing routes. */
const OF_NEST = /^(?:Forbidden resource|Cannot [A-Z]+ \/)/;

/**
 * Converts a Nest exception thrown by an extension: a 4xx keeps its status and message, as with plain Nest. Null for 5xx,
 * whose messages are never shown.
 */
export function fromHttpException(error: HttpException): ApiError | null {
  const status = error.getStatus();
  const known = BY_STATUS.get(status);
  const message = status < 500 ? ownSentence(error) : null;
  // The hint of the code belongs to the message of the code.
  if (known) return known({ cause: error, ...(message !== null && { message, hint: undefined }) });
  if (status < 400 || status >= 500) return null;
  const { code, hint, message: usual } = refused.definition;
  return new ApiError(status, code, message ?? usual, { cause: error, ...(message === null && { hint }) });
}

/** Null if there is no message, or it repeats that of a library, which may contain parts of the request. */
function ownSentence(error: HttpException): string | null {
  const response = error.getResponse();
  const said = typeof response === 'string' ? response : (response as { message?: unknown }).message;
  if (typeof said !== 'string' || said === '' || OF_NEST.test(said)) return null;
  if (said.toLowerCase() === STATUS_CODES[error.getStatus()]?.toLowerCase()) return null;
  return error.cause instanceof Error && said.includes(error.cause.message) ? null : said;
}
