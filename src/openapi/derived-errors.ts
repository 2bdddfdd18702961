import { getSchemaPath } from '@nestjs/swagger';
import { accessOf, type Access } from '../auth/index.js';
import { ERROR_BODIES, errorBodyOf } from '../common/http/error-body.js';
import { isNavigatedTo, operationOf } from '../common/http/operation.js';
import type { Operation, ResponseObject } from './document-types.js';

type DerivedStatus = 400 | 401 | 403 | 404 | 413 | 415 | 429;

const hasInput = ({ requestBody, parameters = [] }: Operation): boolean =>
  requestBody !== undefined || parameters.some((parameter) => 'in' in parameter && parameter.in === 'query');

/**
 * Whether a caller with a valid credential can lack the right: a role, a scope, or membership. `any` requires neither.
 */
const canLackRight = (access: Access | undefined): boolean =>
  access?.audience === 'dashboard' && access.scope !== 'any' && !(access.scope === null && access.tokenRefusal === 401);

/** Headers of a response with a given status. */
const HEADERS: Partial<Record<DerivedStatus, ResponseObject['headers']>> = {
  429: {
    'Retry-After': {
      description: 'Seconds after which to try again.',
      required: true,
      schema: { type: 'integer', minimum: 1 },
    },
  },
};

/**
 * The errors implied by access, path, body and query, which handlers do not list. Rate limits apply to every operation.
 */
export function derivedErrors(path: string, operation: Operation, access: Access | undefined): DerivedStatus[] {
  const needsCredential = access?.audience === 'dashboard' || access?.audience === 'end-user';
  return [
    ...(hasInput(operation) ? [400 as const] : []),
    ...(needsCredential ? [401 as const] : []),
    ...(canLackRight(access) ? [403 as const] : []),
    ...(path.includes('{') ? [404 as const] : []),
    ...(operation.requestBody !== undefined ? [413 as const, 415 as const] : []),
    429,
  ];
}

/** Adds the derived errors to the responses of an operation, besides those that its handler lists. */
export function documentDerivedErrors(path: string, operation: Operation, handler: object): void {
  const options = operationOf(handler) ?? {};
  for (const status of derivedErrors(path, operation, accessOf(handler))) {
    const { description } = ERROR_BODIES[status];
    const schema = { $ref: getSchemaPath(errorBodyOf(status, options)) };
    const headers = HEADERS[status];
    const content = { 'application/json': { schema } };
    operation.responses[status] ??= { description, ...(headers && { headers }), content };
  }
  if (isNavigatedTo(handler)) documentErrorPages(operation);
}

/** Errors of operations that browsers navigate to are pages for people. */
function documentErrorPages({ responses }: Operation): void {
  for (const [status, response] of Object.entries(responses)) {
    if (!/^[45]/.test(status) || !response || '$ref' in response) continue;
    response.content = { ...response.content, 'text/html': { schema: { type: 'string' } } };
  }
}
