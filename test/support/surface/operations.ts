import type { Role, TokenScope } from '../../../src/auth/index.js';
import { byOperation, reviewedRoles } from '../contract/roles.js';
import {
  listOperations,
  readDocument,
  type JsonSchema,
  type LocatedOperation,
  type OpenApiDoc,
  type Parameter,
} from '../contract/openapi-document.js';
import { serviceSurface } from './registry.js';
import { Schemas } from './schemas.js';
import type { OperationSurface, WholeSurface } from './surface.js';

export const apiDocument = readDocument(new URL('../../../openapi.json', import.meta.url));

const SERVICE_IDS: ReadonlySet<string> = new Set(listOperations(apiDocument).map(({ operationId }) => operationId));
const ROLES_BY_OPERATION = byOperation(reviewedRoles());

/** An operation from the document, with its allowed callers and its context's declarations. */
export interface ApiOperation {
  id: string;
  /** `DELETE /environments/{environmentId}/users/{userId}` */
  title: string;
  method: string;
  /** With the prefix and with variables in braces. */
  path: string;
  audience: 'public' | 'end-user' | 'dashboard';
  scope: TokenScope | null;
  /** As reviewed; null if members cannot call it. */
  leastRole: Role | null;
  /** Whether members need a recently proven session, which personal tokens are not. */
  needsSession: boolean;
  /** The parameters that name records. */
  pathParams: string[];
  /** Whether the path names a tenant, directly or by one of its records; the others name records of a person. */
  namesTenant: boolean;
  queryParams: Parameter[];
  /** Whether HEAD is refused, because its GET has an effect. */
  isGetAlone: boolean;
  /** Whether it takes an `Idempotency-Key`. */
  isIdempotent: boolean;
  /** Names of the header fields it reads. */
  headerParams: string[];
  body: JsonSchema | null;
  /** An example body from the document. */
  bodyExample: unknown;
  isBodyOptional: boolean;
  statuses: number[];
  /** Its limits, in words. */
  limits: readonly string[];
  /** Names of its documented events. */
  events: readonly string[];
  surface: OperationSurface;
  /** Of its document. */
  schemas: Schemas;
}

/** The operations of a document, each with its context's declarations. */
export function operationsOf(document: OpenApiDoc, surface: WholeSurface): ApiOperation[] {
  const schemas = new Schemas(document);
  return listOperations(document).map((located) => describe(located, surface, schemas));
}

function describe(
  { operationId, method, path, operation, parameters }: LocatedOperation,
  all: WholeSurface,
  schemas: Schemas,
): ApiOperation {
  const audience = operation['x-audience'];
  if (audience !== 'public' && audience !== 'end-user' && audience !== 'dashboard') {
    throw new Error(`${operationId} names no audience`);
  }
  const surface = all.operations[operationId] ?? {};
  const json = operation.requestBody?.content?.['application/json'];
  const pathParams = [...path.matchAll(/\{(\w+)\}/g)]
    .map(([, name]) => name!)
    .filter((name) => !Object.hasOwn(all.kinds, name));
  return {
    id: operationId,
    title: `${method.toUpperCase()} ${path.replace('/api/v0', '')}`,
    method: method.toUpperCase(),
    path,
    audience,
    scope: (operation['x-token-scope'] as TokenScope | undefined) ?? null,
    leastRole: audience === 'dashboard' ? leastRoleOf(operationId, operation['x-least-role']) : null,
    needsSession: operation['x-recent-proof'] !== undefined,
    pathParams,
    namesTenant: pathParams.some(
      (param) => !Object.hasOwn(all.kinds, param) && !all.records[surface.paths?.[param] ?? param]?.ofPerson,
    ),
    queryParams: parameters.filter((parameter) => parameter.in === 'query'),
    headerParams: parameters.flatMap((parameter) => (parameter.in === 'header' ? parameter.name.toLowerCase() : [])),
    isGetAlone: operation['x-no-head'] === true,
    isIdempotent: operation['x-idempotent'] === true,
    body: json?.schema ?? null,
    bodyExample: json?.example,
    isBodyOptional: operation.requestBody?.required !== true,
    statuses: Object.keys(operation.responses ?? {}).map(Number),
    limits: operation['x-limits'] ?? [],
    events: operation['x-events'] ?? [],
    surface,
    schemas,
  };
}

/** The reviewed role of an operation of the service; an extension's operations are reviewed at their handlers. */
function leastRoleOf(id: string, declared: string | undefined): Role {
  const isExtension = !SERVICE_IDS.has(id);
  const role = isExtension ? (declared as Role | undefined) : ROLES_BY_OPERATION[id];
  if (!role) throw new Error(`${id} is not in test/contract/roles.json`);
  return role;
}

/** The key of `RecordIds` for a path parameter. */
export const recordName = ({ surface }: ApiOperation, param: string): string => surface.paths?.[param] ?? param;

/** Whether each call needs a record of its own, because a success uses it up. */
export const isDestructive = ({ method, surface }: ApiOperation): boolean =>
  method === 'DELETE' || surface.usesUp === true;

/** Every operation of the service, all covered by the generated suites. */
export const operations: ApiOperation[] = operationsOf(apiDocument, serviceSurface);
