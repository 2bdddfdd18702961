import type { OpenApiDocument, Operation } from '../document-types.js';

type Schemes = NonNullable<NonNullable<OpenApiDocument['components']>['securitySchemes']>;

/** The credentials that a person may have, each with a place of its own in the explorer. */
export const CREDENTIALS: Schemes = {
  member: {
    type: 'http',
    scheme: 'bearer',
    description: 'A member of an organization: the session of whoever signs in on this page, or a personal token.',
  },
  apiToken: {
    type: 'http',
    scheme: 'bearer',
    description: 'An API token of one environment. Operations that take one use it rather than that of the member.',
  },
  endUser: {
    type: 'http',
    scheme: 'bearer',
    description: 'The session of a user of an environment. A sign-in that is executed here fills it in.',
  },
};

const takesApiTokens = (operation: Operation): boolean =>
  operation['x-token-scope'] !== undefined || operation['x-any-token'] === true;

/** Of several that are there the explorer sends the last. */
export function securityOf(operation: Operation): Operation['security'] {
  switch (operation['x-audience']) {
    case 'dashboard':
      return [{ member: [] }, ...(takesApiTokens(operation) ? [{ apiToken: [] }] : [])];
    case 'end-user':
      return [{ endUser: [] }];
    default:
      return [];
  }
}
