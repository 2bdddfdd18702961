import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import {
  listOperations,
  type LocatedOperation,
  type OpenApiDoc,
  readDocument,
  resolveReference,
  type ResponseObject,
  serverPrefix,
} from './openapi-document.js';
import { closed, strictDocument } from './strict-schemas.js';

export interface ObservedResponse {
  method: string;
  /** A template of the document or a concrete path; server prefix and query are optional. */
  path: string;
  status: number;
  /** Value of the `Content-Type` header; absent without a body. */
  contentType?: string | null;
  /** Parsed JSON, or the text of another media type; `undefined` or the empty string is no body. */
  body?: unknown;
}

export interface ResponseValidator {
  /** The operation for a method and path; if several templates match, the one with the most literal segments. */
  findOperation(method: string, path: string): LocatedOperation | null;
  /** All deviations of a response from the document; empty if it conforms. */
  validate(response: ObservedResponse): string[];
}

/** Validates responses against an OpenAPI document; schemas are compiled on first use and cached. */
export function createResponseValidator(doc: OpenApiDoc): ResponseValidator {
  return new DocumentValidator(doc);
}

const COMMITTED = new URL('../../../openapi.json', import.meta.url);
let committed: ResponseValidator | undefined;

/** The validator of the committed document, cached per process. */
export const committedValidator = (): ResponseValidator =>
  (committed ??= createResponseValidator(readDocument(COMMITTED)));

class DocumentValidator implements ResponseValidator {
  private readonly ajv = new Ajv2020({ allErrors: true, strict: false });
  private readonly compiled = new Map<string, ValidateFunction>();
  private readonly prefix: string[];
  /** By method and number of segments. */
  private readonly operations: Map<string, (LocatedOperation & { segments: string[] })[]>;

  constructor(private readonly doc: OpenApiDoc) {
    addFormats.default(this.ajv);
    this.ajv.addSchema(strictDocument(doc));
    this.prefix = segmentsOf(serverPrefix(doc));
    const operations = listOperations(doc)
      .map((located) => ({ ...located, segments: segmentsOf(located.path) }))
      .sort((left, right) => literalRank(right.segments).localeCompare(literalRank(left.segments)));
    this.operations = Map.groupBy(operations, ({ method, segments }) => `${method} ${segments.length}`);
  }

  findOperation(method: string, path: string): LocatedOperation | null {
    const segments = segmentsOf(path.split('?', 1)[0] ?? '');
    const named = method.toLowerCase();
    const find = (wanted: string[]): LocatedOperation | undefined =>
      this.operations.get(`${named} ${wanted.length}`)?.find(({ segments: known }) => matches(known, wanted));
    return find(segments) ?? find([...this.prefix, ...segments]) ?? null;
  }

  validate({ method, path, status, contentType, body }: ObservedResponse): string[] {
    const located = this.findOperation(method, path);
    if (!located) return [`${method.toUpperCase()} ${path} is not in the document`];
    const documented = located.operation.responses?.[String(status)];
    const where = `${located.operationId} ${status}`;
    if (!documented) return [`${where}: the status is not documented`];
    const response = resolveReference(this.doc, documented);
    return this.validateBody(response, where, contentType, body).map((problem) => `${where}: ${problem}`);
  }

  private validateBody(
    response: ResponseObject,
    key: string,
    contentType: string | null | undefined,
    body: unknown,
  ): string[] {
    const types = Object.keys(response.content ?? {});
    const isEmpty = body === undefined || body === '';
    if (types.length === 0) return isEmpty ? [] : ['a body is sent where none is documented'];
    if (isEmpty) return [`the documented ${types.join(' or ')} body is not sent`];
    const type = (contentType ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
    const media = response.content?.[type];
    if (!media) return [`content type ${type || '(none)'} is not documented, ${types.join(' or ')} is`];
    if (!media.schema) return [];
    const check = this.compiled.get(`${key} ${type}`) ?? this.ajv.compile(closed(media.schema));
    this.compiled.set(`${key} ${type}`, check);
    return check(body) ? [] : (check.errors ?? []).map(describeFault);
  }
}

function describeFault({ instancePath, message, params }: ErrorObject): string {
  const field = 'unevaluatedProperty' in params ? params.unevaluatedProperty : params.additionalProperty;
  const name = typeof field === 'string' ? ` (${field})` : '';
  return `${instancePath || 'body'} ${message ?? 'is wrong'}${name}`;
}

function segmentsOf(path: string): string[] {
  return path.split('/').filter((segment) => segment !== '');
}

function isVariable(segment: string): boolean {
  return segment.includes('{');
}

/** Orders templates so that a literal segment is tried before a variable one, from the left. */
function literalRank(segments: readonly string[]): string {
  return segments.map((segment) => (isVariable(segment) ? '0' : '1')).join('');
}

function matches(template: readonly string[], segments: readonly string[]): boolean {
  return template.every((segment, index) => segment === segments[index] || isVariable(segment));
}
