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

/** What Nest says of its own accord: to guards that answer false, and where there is no route. */
const OF_NEST = /^(?:Forbidden resource|Cannot [A-Z]+ \/)/;

/**
 * An exception of Nest as a team throws it: from 400 to 499 it keeps its status and its sentence, which Nest would show as
 * well. What it says of a fault is shown to nobody. Null for a fault.
 */
export function fromHttpException(error: HttpException): ApiError | null {
  const status = error.getStatus();
  const known = BY_STATUS.get(status);
  const message = status < 500 ? ownSentence(error) : null;
  // What the hint of the code says belongs to the sentence of the code.
  if (known) return known({ cause: error, ...(message !== null && { message, hint: undefined }) });
  if (status < 400 || status >= 500) return null;
  const { code, hint, message: usual } = refused.definition;
  return new ApiError(status, code, message ?? usual, { cause: error, ...(message === null && { hint }) });
}

/** Null where it says nothing of its own, or repeats what a library said, which may hold parts of the request. */
function ownSentence(error: HttpException): string | null {
  const response = error.getResponse();
  const said = typeof response === 'string' ? response : (response as { message?: unknown }).message;
  if (typeof said !== 'string' || said === '' || OF_NEST.test(said)) return null;
  if (said.toLowerCase() === STATUS_CODES[error.getStatus()]?.toLowerCase()) return null;
  return error.cause instanceof Error && said.includes(error.cause.message) ? null : said;
}
