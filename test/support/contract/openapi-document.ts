import { readFileSync } from 'node:fs';

/** The part of JSON Schema that OpenAPI 3.0 and 3.1 documents use. */
export interface JsonSchema {
  $ref?: string;
  type?: string | readonly string[];
  nullable?: boolean;
  enum?: readonly unknown[];
  const?: unknown;
  properties?: Record<string, JsonSchema>;
  required?: readonly string[];
  additionalProperties?: boolean | JsonSchema;
  unevaluatedProperties?: boolean | JsonSchema;
  items?: JsonSchema;
  allOf?: readonly JsonSchema[];
  anyOf?: readonly JsonSchema[];
  oneOf?: readonly JsonSchema[];
  [keyword: string]: unknown;
}

export interface Reference {
  $ref?: string;
}

export interface MediaType {
  schema?: JsonSchema;
  example?: unknown;
}

export interface Parameter extends Reference {
  name: string;
  in: string;
  description?: string;
  required?: boolean;
  style?: string;
  explode?: boolean;
  schema?: JsonSchema;
}

export interface RequestBody extends Reference {
  required?: boolean;
  content?: Record<string, MediaType>;
}

export interface ResponseObject extends Reference {
  description?: string;
  headers?: Record<string, unknown>;
  content?: Record<string, MediaType>;
}

export interface Operation {
  operationId?: string;
  description?: string;
  parameters?: readonly Parameter[];
  requestBody?: RequestBody;
  responses?: Record<string, ResponseObject>;
  deprecated?: boolean;
  'x-audience'?: string;
  'x-idempotent'?: boolean;
  'x-no-head'?: boolean;
  'x-token-scope'?: string;
  'x-any-token'?: boolean;
  'x-least-role'?: string;
  'x-recent-proof'?: string;
  'x-mfa-action'?: string;
  'x-events'?: readonly string[];
  'x-limits'?: readonly string[];
}

export interface PathItem {
  parameters?: readonly Parameter[];
  get?: Operation;
  put?: Operation;
  post?: Operation;
  delete?: Operation;
  patch?: Operation;
  head?: Operation;
  options?: Operation;
}

export interface Components {
  schemas?: Record<string, JsonSchema>;
  responses?: Record<string, ResponseObject>;
  parameters?: Record<string, Parameter>;
  requestBodies?: Record<string, RequestBody>;
}

export interface OpenApiDoc {
  openapi: string;
  servers?: readonly { url: string }[];
  paths: Record<string, PathItem>;
  components?: Components;
}

export interface LocatedOperation {
  operationId: string;
  method: (typeof METHODS)[number];
  /** Path with the prefix of the document's first server, so that both notations of `/api/v0` are equal. */
  path: string;
  operation: Operation;
  parameters: Parameter[];
}

const METHODS = ['get', 'put', 'post', 'delete', 'patch', 'head', 'options'] as const;

/** Reads a document from a file URL. Throws if the file is missing or not JSON. */
export function readDocument(address: URL): OpenApiDoc {
  return JSON.parse(readFileSync(address, 'utf8')) as OpenApiDoc;
}

/** Follows a local reference (`#/a/b`, RFC 6901 escapes). Throws if the target does not exist. */
export function resolveReference<T extends object>(doc: OpenApiDoc, node: T): T {
  let current = node;
  const followed = new Set<string>();
  for (;;) {
    const reference = '$ref' in current ? current.$ref : undefined;
    if (typeof reference !== 'string') return current;
    if (followed.has(reference)) throw new Error(`reference ${reference} leads back to itself`);
    followed.add(reference);
    current = lookUp(doc, reference) as T;
  }
}

export function lookUp(doc: OpenApiDoc, reference: string): object {
  if (!reference.startsWith('#/')) throw new Error(`reference ${reference} is not local`);
  let node: unknown = doc;
  for (const part of reference.slice(2).split('/')) {
    const key = decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~');
    node = node !== null && typeof node === 'object' ? (node as Record<string, unknown>)[key] : undefined;
  }
  if (node === null || typeof node !== 'object') throw new Error(`reference ${reference} points nowhere`);
  return node;
}

/** Path part of the first server address, without a final slash: `/api/v0` or the empty string. */
export function serverPrefix(doc: OpenApiDoc): string {
  const url = doc.servers?.[0]?.url ?? '';
  const afterHost = url.replace(/^(\{[^}]+\}|[a-z]+:\/\/[^/]+)/, '');
  return afterHost.replace(/\/+$/, '');
}

/** Every operation of a document in document order; operations without an id get `METHOD path`. */
export function listOperations(doc: OpenApiDoc): LocatedOperation[] {
  const prefix = serverPrefix(doc);
  return Object.entries(doc.paths).flatMap(([template, item]) =>
    METHODS.flatMap((method) => {
      const operation = item[method];
      if (!operation) return [];
      const parameters = [...(item.parameters ?? []), ...(operation.parameters ?? [])];
      return {
        operationId: operation.operationId ?? `${method.toUpperCase()} ${template}`,
        method,
        path: prefix + template,
        operation,
        parameters: parameters.map((parameter) => resolveReference(doc, parameter)),
      };
    }),
  );
}

export function findOperation(doc: OpenApiDoc, operationId: string): LocatedOperation | null {
  return listOperations(doc).find((located) => located.operationId === operationId) ?? null;
}
