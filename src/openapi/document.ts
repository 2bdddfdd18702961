import type { INestApplication } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { API_PREFIX } from '../common/http/operation.js';
import { eventRegistry } from '../database/index.js';
import { reachableSchemas } from './components.js';
import { documentDerivedErrors } from './derived-errors.js';
import { documentExamples } from './examples/document-examples.js';
import { describeOperation } from './describe-operation.js';
import { METHODS, operationsOf, type OpenApiDocument, type PathItem, type Schemas } from './document-types.js';
import { EVENT_BODY_COMPONENT, webhooksOf } from './event-webhooks.js';
import { operationHandlers } from '../common/http/handlers.js';
import { documentIdempotency } from './idempotency.js';
import { limitsOf } from './limits.js';
import { completeParameters, UUID_COMPONENT } from './path-parameters.js';
import { scan } from './scan.js';
import { describeTags } from './tags.js';

const PREFIX = `/${API_PREFIX}`;

/**
 * The document of an application's API, the same on every machine: its server URL is relative and everything is in a
 * fixed order.
 *
 * @param app built as it runs, or with `preview: true`, which instantiates nothing
 * @param extraSchemas schemas that no class declares, by component name; a class of the same name takes precedence
 */
export const buildDocument = (app: INestApplication, extraSchemas: Schemas = {}): OpenApiDocument =>
  documentOf(app.get(ModulesContainer), extraSchemas);

/** The same for the modules of the calling application. */
export function documentOf(modules: ModulesContainer, extraSchemas: Schemas = {}): OpenApiDocument {
  const scanned = scan(modules);
  const document: OpenApiDocument = {
    ...scanned,
    paths: apiPaths(scanned.paths),
    webhooks: webhooksOf(eventRegistry()),
  };
  const handlers = new Map(operationHandlers(modules).map(({ id, handler }) => [id, handler]));
  const tags = new Set<string>();
  for (const { path, operation } of operationsOf(document)) {
    operation.parameters = completeParameters(path, operation);
    // An operation that does not say so could also have been forgotten: linters report it, and gateways ask for a key.
    operation.security ??= [];
    const handler = handlers.get(operation.operationId ?? '');
    if (handler) documentDerivedErrors(path, operation, handler);
    documentIdempotency(operation);
    operation['x-limits'] = limitsOf(path, operation, handler);
    operation.description = describeOperation(operation);
    for (const tag of operation.tags ?? []) tags.add(tag);
  }
  const schemas = { ...EVENT_BODY_COMPONENT, ...extraSchemas, ...scanned.components?.schemas, ...UUID_COMPONENT };
  documentExamples(document, schemas);
  const described = describeTags(tags);
  return {
    openapi: document.openapi,
    info: document.info,
    servers: document.servers,
    tags: described.tags,
    paths: document.paths,
    webhooks: document.webhooks,
    components: { schemas: reachableSchemas(document, schemas), securitySchemes: scanned.components?.securitySchemes },
    ...{ 'x-tagGroups': described.groups },
  };
}

/** The paths below the prefix, without it; excludes pages for people, which are outside it. */
function apiPaths(paths: OpenApiDocument['paths']): OpenApiDocument['paths'] {
  return Object.fromEntries(
    Object.entries(paths)
      .filter(([path]) => path.startsWith(`${PREFIX}/`))
      .map(([path, item]): [string, PathItem] => [path.slice(PREFIX.length), inOrder(item)])
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}

const inOrder = (item: PathItem): PathItem =>
  Object.fromEntries(METHODS.flatMap((method) => (item[method] ? [[method, item[method]]] : [])));
