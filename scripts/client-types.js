/** `npm run client:types -- <folder>`: generates a typed TypeScript client from `openapi.json` into a folder. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const METHODS = ['get', 'put', 'post', 'delete', 'patch'];
const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;

/** @typedef {Record<string, any>} Json */

const key = (/** @type {string} */ name) => (IDENTIFIER.test(name) ? name : JSON.stringify(name));
const refName = (/** @type {string} */ ref) => typeName(ref.slice('#/components/schemas/'.length));
const typeName = (/** @type {string} */ name) => name.replace(/[^\w$]/g, '_');
const bracketed = (/** @type {string} */ type) => (/[|&]/.test(type) ? `(${type})` : type);

/** The TypeScript type of a schema. What a type cannot express, such as a pattern, is left to the service. */
export function typeOf(/** @type {Json | undefined} */ schema) {
  if (!schema) return 'unknown';
  if (schema.$ref) return refName(schema.$ref);
  const parts = [];
  if (schema.allOf) parts.push(schema.allOf.map((/** @type {Json} */ one) => bracketed(typeOf(one))).join(' & '));
  if (schema.anyOf ?? schema.oneOf) {
    parts.push((schema.anyOf ?? schema.oneOf).map((/** @type {Json} */ one) => bracketed(typeOf(one))).join(' | '));
  }
  if (parts.length > 0) {
    if (schema.properties) parts.push(objectOf(schema));
    const all = parts.length === 1 ? parts[0] : parts.map(bracketed).join(' & ');
    return schema.type === 'null' || [].concat(schema.type).includes(/** @type {never} */ ('null'))
      ? `${bracketed(all)} | null`
      : all;
  }
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((/** @type {unknown} */ value) => JSON.stringify(value)).join(' | ');
  const types = [].concat(schema.type ?? []);
  if (types.length === 0) return schema.properties ? objectOf(schema) : 'unknown';
  return types.map((type) => typeOfKind(type, schema)).join(' | ');
}

function typeOfKind(/** @type {string} */ type, /** @type {Json} */ schema) {
  switch (type) {
    case 'integer':
    case 'number':
      return 'number';
    case 'string':
    case 'boolean':
    case 'null':
      return type;
    case 'array':
      return `${bracketed(typeOf(schema.items))}[]`;
    case 'object':
      return objectOf(schema);
    default:
      throw new Error(`Unknown JSON Schema type: ${type}.`);
  }
}

function objectOf(/** @type {Json} */ { properties, required = [], additionalProperties }) {
  const fields = Object.entries(properties ?? {}).map(([name, schema]) => {
    const doc = schema.description
      ? `/** ${schema.description.replaceAll('*/', '*\\/').replaceAll('\n', ' ')} */ `
      : '';
    return `${doc}${key(name)}${required.includes(name) ? '' : '?'}: ${typeOf(schema)};`;
  });
  if (fields.length > 0) return `{ ${fields.join(' ')} }`;
  return `Record<string, ${typeof additionalProperties === 'object' ? typeOf(additionalProperties) : 'unknown'}>`;
}

/** The operations of a document, each with its path and method. */
function operationsOf(/** @type {Json} */ document) {
  const found = [];
  for (const [path, item] of Object.entries(document.paths)) {
    for (const method of METHODS) {
      const operation = item[method];
      if (operation) found.push({ path, method: method.toUpperCase(), ...operation });
    }
  }
  return found;
}

const parametersOf = (/** @type {Json} */ { parameters = [] }, /** @type {string} */ place) =>
  parameters.filter((/** @type {Json} */ one) => one.in === place);

function requestOf(/** @type {Json} */ operation) {
  const fields = [];
  for (const place of ['path', 'query', 'header']) {
    const parameters = parametersOf(operation, place);
    if (parameters.length === 0) continue;
    const isNeeded = parameters.some((/** @type {Json} */ one) => one.required);
    const each = parameters.map(
      (/** @type {Json} */ one) => `${key(one.name)}${one.required ? '' : '?'}: ${typeOf(one.schema)};`,
    );
    fields.push(`${place}${isNeeded ? '' : '?'}: { ${each.join(' ')} };`);
  }
  const body = contentOf(operation.requestBody);
  if (body) fields.push(`body${operation.requestBody.required ? '' : '?'}: ${typeOf(body)};`);
  return fields.length > 0 ? `{ ${fields.join(' ')} }` : 'Record<never, never>';
}

const contentOf = (/** @type {Json | undefined} */ place) => Object.values(place?.content ?? {})[0]?.schema;

function answerOf(/** @type {Json} */ { responses }) {
  const types = Object.entries(responses)
    .filter(([status]) => status.startsWith('2') || status.startsWith('3'))
    .map(([, response]) =>
      response.content?.['application/json'] ? typeOf(contentOf(response)) : response.content ? 'string' : 'undefined',
    );
  return [...new Set(types)].map((type) => bracketed(type)).join(' | ') || 'undefined';
}

const RUNTIME = `
export interface ClientOptions {
  /** The URL of the service with its API path, such as \`https://auth.example.com/api/v0\`. */
  readonly baseUrl: string;
  /** An API token, or the JWT of a session. */
  readonly token?: string;
  readonly fetch?: typeof fetch;
}

/** An unsuccessful response. */
export class ApiFailure extends Error {
  override readonly name = 'ApiFailure';

  constructor(
    readonly status: number,
    /** The stable, machine-readable \`code\` of the body. */
    readonly code: string | undefined,
    readonly body: unknown,
  ) {
    super(\`The service answered \${status}\${code ? \` \${code}\` : ''}.\`);
  }
}

type Request<N extends OperationName> = Operations[N]['request'];
/** The request may be omitted if nothing in it is required. */
type Arguments<N extends OperationName> =
  Record<never, never> extends Request<N> ? [request?: Request<N>] : [request: Request<N>];

interface AnyRequest {
  readonly path?: Record<string, unknown>;
  readonly query?: Record<string, unknown>;
  readonly header?: Record<string, unknown>;
  readonly body?: unknown;
}

export interface Client {
  /** @throws ApiFailure for an unsuccessful response */
  call<N extends OperationName>(name: N, ...request: Arguments<N>): Promise<Operations[N]['answer']>;
}

export function createClient({ baseUrl, token, fetch: send = fetch }: ClientOptions): Client {
  return {
    async call<N extends OperationName>(name: N, ...[given]: Arguments<N>): Promise<Operations[N]['answer']> {
      const [method, template, kind] = PLACES[name];
      const { path = {}, query = {}, header = {}, body } = (given ?? {}) as AnyRequest;
      const filled = template.replace(/\\{(\\w+)\\}/g, (_, one: string) => encodeURIComponent(String(path[one])));
      const search = new URLSearchParams();
      const add = (field: string, value: unknown): void => {
        if (Array.isArray(value)) for (const one of value) add(field, one);
        else if (typeof value === 'object' && value !== null) {
          for (const [inner, one] of Object.entries(value)) add(\`\${field}[\${inner}]\`, one);
        } else if (value !== undefined) search.append(field, String(value));
      };
      for (const [field, value] of Object.entries(query)) add(field, value);
      const headers: Record<string, string> = { ...(token && { authorization: \`Bearer \${token}\` }) };
      for (const [field, value] of Object.entries(header)) if (value !== undefined) headers[field] = String(value);
      if (body !== undefined) headers['content-type'] = kind;
      const isForm = kind !== 'application/json';
      const text = isForm ? new URLSearchParams(body as Record<string, string>).toString() : JSON.stringify(body);
      const url = \`\${baseUrl}\${filled}\${search.size > 0 ? \`?\${search.toString()}\` : ''}\`;
      const response = await send(url, { method, headers, ...(body !== undefined && { body: text }) });
      const answer = await response.text();
      const isJson = response.headers.get('content-type')?.includes('json') === true;
      const value: unknown = answer === '' ? undefined : isJson ? JSON.parse(answer) : answer;
      if (response.ok) return value as Operations[N]['answer'];
      throw new ApiFailure(response.status, (value as { code?: string } | undefined)?.code, value);
    },
  };
}
`;

/** The source of the client for a document. */
export function clientOf(/** @type {Json} */ document) {
  const operations = operationsOf(document);
  const schemas = Object.entries(document.components.schemas).map(
    ([name, schema]) => `export type ${typeName(name)} = ${typeOf(schema)};`,
  );
  const types = operations.map(
    (one) =>
      `  /** ${one.method} ${one.path}: ${one.summary} */\n  ${key(one.operationId)}: { request: ${requestOf(one)}; answer: ${answerOf(one)} };`,
  );
  const places = operations.map((one) => {
    const kind = Object.keys(one.requestBody?.content ?? {})[0] ?? 'application/json';
    return `  ${key(one.operationId)}: ${JSON.stringify([one.method, one.path, kind])},`;
  });
  return [
    `// Generated from the document of ${document.info.title} ${document.info.version} by \`npm run client:types\`. Do not edit.`,
    ...schemas,
    `export interface Operations {\n${types.join('\n')}\n}`,
    'export type OperationName = keyof Operations;',
    `const PLACES: Readonly<Record<OperationName, readonly [method: string, path: string, kind: string]>> = {\n${places.join('\n')}\n};`,
    RUNTIME.trim(),
    '',
  ].join('\n\n');
}

if (process.argv[1] && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const root = dirname(dirname(fileURLToPath(import.meta.url)));
  const folder = resolve(process.argv[2] ?? join(root, '.data', 'client'));
  mkdirSync(folder, { recursive: true });
  const path = join(folder, 'gatehouse-client.ts');
  writeFileSync(path, clientOf(JSON.parse(readFileSync(join(root, 'openapi.json'), 'utf8'))));
  console.log(path);
}
