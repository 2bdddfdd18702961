import type { Role, TokenScope } from '../../../src/auth/index.js';
import { byOperation, reviewedRoles } from '../contract/roles.js';
import { listOperations, readDocument, type JsonSchema, type Parameter } from '../contract/openapi-document.js';

export const apiDocument = readDocument(new URL('../../../openapi.json', import.meta.url));

/** Path parameters that name no record but a kind of thing every tenant has. */
export const KINDS_IN_PATHS: Readonly<Record<string, string>> = {
  sdkViewType: 'login',
  mfaDeviceType: 'totp',
  providerType: 'github',
};

const ROLES_BY_OPERATION = byOperation(reviewedRoles());

/** An operation as the document describes it, with who may call it. */
export interface ApiOperation {
  id: string;
  /** `DELETE /environments/{environmentId}/users/{userId}` */
  title: string;
  method: string;
  /** With the prefix and with variables in braces. */
  path: string;
  audience: 'public' | 'end-user' | 'dashboard';
  scope: TokenScope | null;
  /** As reviewed; null where members are no callers. */
  leastRole: Role | null;
  /** Those that name records. */
  pathParams: string[];
  queryParams: Parameter[];
  body: JsonSchema | null;
  statuses: number[];
}

/** Every operation of the document: what the suites generated from it must cover. */
export const operations: ApiOperation[] = listOperations(apiDocument).map((located) => {
  const { operation, parameters } = located;
  const audience = operation['x-audience'];
  if (audience !== 'public' && audience !== 'end-user' && audience !== 'dashboard') {
    throw new Error(`${located.operationId} names no audience`);
  }
  return {
    id: located.operationId,
    title: `${located.method.toUpperCase()} ${located.path.replace('/api/v0', '')}`,
    method: located.method.toUpperCase(),
    path: located.path,
    audience,
    scope: (operation['x-token-scope'] as TokenScope | undefined) ?? null,
    leastRole: audience === 'dashboard' ? leastRoleOf(located.operationId) : null,
    pathParams: [...located.path.matchAll(/\{(\w+)\}/g)]
      .map(([, name]) => name!)
      .filter((name) => !Object.hasOwn(KINDS_IN_PATHS, name)),
    queryParams: parameters.filter((parameter) => parameter.in === 'query'),
    body: operation.requestBody?.content?.['application/json']?.schema ?? null,
    statuses: Object.keys(operation.responses ?? {}).map(Number),
  };
});

function leastRoleOf(id: string): Role {
  const role = ROLES_BY_OPERATION[id];
  if (!role) throw new Error(`${id} is not in test/contract/roles.json`);
  return role;
}

/** Whether the path names a tenant, itself or by one of its records; the others name records of a person. */
export const namesTenant = ({ id, path, pathParams }: ApiOperation): boolean =>
  pathParams.length > 0 && !path.startsWith('/api/v0/user/') && id !== 'updateInvite';

/** Whether a call of it needs a record of its own: after a success there is nothing left to call it on. */
export const isDestructive = ({ method, id }: ApiOperation): boolean =>
  method === 'DELETE' || id === 'revokeSession' || id === 'refreshAuth' || id === 'updateInvite';
