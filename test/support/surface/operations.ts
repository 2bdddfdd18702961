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

/** An operation as the document describes it, with who may call it and what its context declares. */
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
  /** Whether members need a session that was just proven; their personal tokens are none. */
  needsSession: boolean;
  /** Those that name records. */
  pathParams: string[];
  /** Whether the path names a tenant, itself or by one of its records; the others name records of a person. */
  namesTenant: boolean;
  queryParams: Parameter[];
  /** Whether HEAD is refused, since its GET has an effect. */
  isGetAlone: boolean;
  /** Whether it takes an `Idempotency-Key`. */
  isIdempotent: boolean;
  /** Names of the header fields that it reads. */
  headerParams: string[];
  body: JsonSchema | null;
  /** A body that the document gives as an example. */
  bodyExample: unknown;
  isBodyOptional: boolean;
  statuses: number[];
  /** Its limits, in words. */
  limits: readonly string[];
  /** Names of the events that it documents. */
  events: readonly string[];
  surface: OperationSurface;
  /** Of the document that it stands in. */
  schemas: Schemas;
}

/** The operations of a document, each with what a context declares of it. */
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

/** The reviewed role of an operation of the service; what an extension adds is reviewed at its handler. */
function leastRoleOf(id: string, declared: string | undefined): Role {
  const isExtension = !SERVICE_IDS.has(id);
  const role = isExtension ? (declared as Role | undefined) : ROLES_BY_OPERATION[id];
  if (!role) throw new Error(`${id} is not in test/contract/roles.json`);
  return role;
}

/** The key of `RecordIds` for a path parameter. */
export const recordName = ({ surface }: ApiOperation, param: string): string => surface.paths?.[param] ?? param;

/** Whether a call of it needs a record of its own: after a success there is nothing left to call it on. */
export const isDestructive = ({ method, surface }: ApiOperation): boolean =>
  method === 'DELETE' || surface.usesUp === true;

/** Every operation of the service: what the suites generated from the document must cover. */
export const operations: ApiOperation[] = operationsOf(apiDocument, serviceSurface);
