import type { OpenApiDocument, Operation } from '../document-types.js';

type Schemes = NonNullable<NonNullable<OpenApiDocument['components']>['securitySchemes']>;

/** The kinds of credentials, each with its own field in the explorer. */
export const CREDENTIALS: Schemes = {
  member: {
    type: 'http',
    scheme: 'bearer',
    description: 'A member of an organization: the session of a sign-in on this page, or a personal token.',
  },
  apiToken: {
    type: 'http',
    scheme: 'bearer',
    description: 'An API token of one environment. Operations that accept one prefer it to the member token.',
  },
  endUser: {
    type: 'http',
    scheme: 'bearer',
    description: 'The session of an end user. Filled in by a sign-in executed here.',
  },
};

const takesApiTokens = (operation: Operation): boolean =>
  operation['x-token-scope'] !== undefined || operation['x-any-token'] === true;

/** If several are filled in, the explorer sends the last one. */
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
