import { Controller, HttpCode, SetMetadata, applyDecorators, type Type } from '@nestjs/common';
import { ApiExtension, ApiOperation, ApiResponse, ApiTags, getSchemaPath } from '@nestjs/swagger';
import type { EnumDefinition, FieldClass } from '../fields/index.js';
import { ANY_OUTAGE, ERROR_BODIES, errorBodyOf } from './error-body.js';

/** The path prefix of every API operation. Pages (documentation, health, development) are outside it. */
export const API_PREFIX = 'api/v0';

/** A controller of the API: its path is relative to the prefix, its tag groups the operations in the document. */
export const ApiController = (path: string, tag: string): ClassDecorator =>
  applyDecorators(Controller(`${API_PREFIX}/${path}`), ApiTags(tag));

export interface OperationOptions {
  /** The stable operation id. */
  id: string;
  summary: string;
  description?: string;
  /**
   * Statuses of its own errors. Those that follow from access, path, body and query are added to the document by
   * `src/openapi/derived-errors.ts`, as is 429 for every operation. 500 and 503 are added here; listing 503 says that
   * it has an outage of its own, such as that of a vendor, besides those of the database and the signer.
   */
  errors?: readonly (400 | 401 | 403 | 404 | 405 | 409 | 410 | 422 | 502 | 503)[];
  /** Its 403 body has an object in `error` and may name the refused wallet or email. */
  sessionErrors?: boolean;
  /** Its 400 and 401 bodies have two additional fields that say that the credential is invalid. */
  saysVerified?: boolean;
  /** Names of the events a successful call emits. */
  events?: readonly string[];
  /** Limits for the documentation. */
  limits?: readonly string[];
  deprecated?: boolean;
  /**
   * Its GET has side effects: it creates or consumes something, or records the access. Express would route HEAD to the same
   * handler with the same effects, so HEAD is refused.
   */
  noHead?: boolean;
  /** Accepts an `Idempotency-Key`: all its effects are in the database, in units of its `@CallWork()`. */
  idempotent?: boolean;
}

/** Additional errors of calls with an idempotency key. */
const KEY_ERRORS = [400, 409, 422] as const;

const OPERATION = Symbol('operation');

/** Names an operation and documents its errors, events and limits. */
export function Operation(options: OperationOptions): MethodDecorator {
  const { errors: own = [], idempotent = false } = options;
  const everywhere = [500, 503] as const;
  const errors = [...new Set([...own, ...(idempotent ? KEY_ERRORS : []), ...everywhere])].sort((a, b) => a - b);
  return applyDecorators(
    SetMetadata(OPERATION, options),
    ApiOperation({
      operationId: options.id,
      summary: options.summary,
      ...(options.description && { description: options.description }),
      ...(options.deprecated && { deprecated: true }),
    }),
    ...(options.noHead ? [ApiExtension('x-no-head', true)] : []),
    ...(idempotent ? [ApiExtension('x-idempotent', true)] : []),
    ...(options.events?.length ? [ApiExtension('x-events', [...options.events])] : []),
    ...(options.limits?.length ? [ApiExtension('x-limits', [...options.limits])] : []),
    ...errors.map((status) =>
      ApiResponse({
        status,
        type: errorBodyOf(status, options),
        description: status === 503 && !own.includes(503) ? ANY_OUTAGE : ERROR_BODIES[status].description,
      }),
    ),
  );
}

export const operationOf = (handler: object): OperationOptions | undefined =>
  Reflect.getMetadata(OPERATION, handler) as OperationOptions | undefined;

/** The result of a handler: the class it is projected onto, a custom projection, or nothing. */
export interface ResultDeclaration {
  type: FieldClass | null;
  list: boolean;
  project?: (value: unknown) => unknown;
  /** How long shared caches may keep the response. */
  maxAgeSeconds?: number;
}

const RESULT = Symbol('result');

interface ReturnsOptions {
  status?: 200 | 201 | 202;
  list?: boolean;
  description?: string;
  /** A second success status with the same body, such as 200 beside 201 when nothing had to be created. */
  also?: 200 | 201;
  /** How long shared caches may keep the response. The handler must return the same unchanged object while it is valid. */
  maxAgeSeconds?: number;
}

/** Declares the result: only its declared fields are ever sent. */
export function Returns(type: FieldClass, options: ReturnsOptions = {}): MethodDecorator {
  const { status = 200, list = false, also, description, maxAgeSeconds } = options;
  const document = (code: number): MethodDecorator =>
    ApiResponse({ status: code, type: type as Type, isArray: list, description: description ?? SUCCESS[code] ?? 'OK' });
  return applyDecorators(
    SetMetadata(RESULT, {
      type,
      list,
      ...(maxAgeSeconds !== undefined && { maxAgeSeconds }),
    } satisfies ResultDeclaration),
    HttpCode(status),
    document(status),
    ...(also ? [document(also)] : []),
  );
}

/**
 * Declares a result without a class: the name of a document component, and a function that keeps only what the component
 * declares.
 */
export const ReturnsComponent = (
  component: string,
  project: (value: unknown) => unknown,
  headers: HeadersObject = {},
): MethodDecorator =>
  applyDecorators(
    SetMetadata(RESULT, { type: null, list: false, project } satisfies ResultDeclaration),
    HttpCode(200),
    ApiResponse({
      status: 200,
      schema: { $ref: getSchemaPath(component) },
      description: 'OK',
      ...(Object.keys(headers).length > 0 && { headers }),
    }),
  );

/** Declares a list of ids as the result. */
export const ReturnsIds = (): MethodDecorator =>
  applyDecorators(
    SetMetadata(RESULT, { type: null, list: true, project: (ids) => ids } satisfies ResultDeclaration),
    HttpCode(200),
    ApiResponse({
      status: 200,
      schema: { type: 'array', items: { type: 'string', format: 'uuid', minLength: 36, maxLength: 36 } },
      description: 'OK',
    }),
  );

/** Declares a list of strings as the result. */
export const ReturnsTexts = (): MethodDecorator =>
  applyDecorators(
    SetMetadata(RESULT, { type: null, list: true, project: (texts) => texts } satisfies ResultDeclaration),
    HttpCode(200),
    ApiResponse({ status: 200, schema: { type: 'array', items: { type: 'string' } }, description: 'OK' }),
  );

/** Declares a list of enumeration values as the result. Some field must use the same enumeration. */
export const ReturnsEnumList = ({ name }: EnumDefinition<string>): MethodDecorator =>
  applyDecorators(
    SetMetadata(RESULT, { type: null, list: true, project: (list) => list } satisfies ResultDeclaration),
    HttpCode(200),
    ApiResponse({
      status: 200,
      schema: { type: 'array', items: { $ref: getSchemaPath(name) } },
      description: 'OK',
    }),
  );

type HeadersObject = NonNullable<Parameters<typeof ApiResponse>[0]['headers']>;

/** Swagger joins all descriptions of a status, and the error list of an operation describes 410. */
const SUCCESS: Record<number, string> = { 200: 'OK', 201: 'Created', 202: 'Accepted', 204: 'No content', 410: '' };

/** Declares a response without a body. */
export const ReturnsNothing = (status: 200 | 202 | 204 | 410 = 204): MethodDecorator =>
  applyDecorators(
    SetMetadata(RESULT, { type: null, list: false } satisfies ResultDeclaration),
    HttpCode(status),
    ApiResponse({ status, description: SUCCESS[status] ?? 'OK' }),
  );

const PAGE = { description: 'OK', content: { 'text/html': { schema: { type: 'string' } } } } as const;
const REDIRECT = { description: 'Redirect', headers: { Location: { schema: { type: 'string' } } } } as const;

const NAVIGATED_TO = Symbol('navigated to');

/**
 * Declares an operation that browsers open directly: a redirect or a page, written by the handler. Its errors are pages
 * to browsers as well.
 */
export const ReturnsToBrowser = (answers: { page?: boolean; redirect?: boolean }): MethodDecorator =>
  applyDecorators(
    SetMetadata(RESULT, { type: null, list: false } satisfies ResultDeclaration),
    SetMetadata(NAVIGATED_TO, true),
    ...(answers.page ? [ApiResponse({ status: 200, ...PAGE })] : []),
    ...(answers.redirect ? [ApiResponse({ status: 302, ...REDIRECT })] : []),
  );

export const isNavigatedTo = (handler: object): boolean => Reflect.getMetadata(NAVIGATED_TO, handler) === true;

export const resultOf = (handler: object): ResultDeclaration | undefined =>
  Reflect.getMetadata(RESULT, handler) as ResultDeclaration | undefined;
