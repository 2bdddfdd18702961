import type { OpenAPIObject } from '@nestjs/swagger';

/** The document that describes this service (OpenAPI 3.1). */
export type OpenApiDocument = OpenAPIObject;
export type PathItem = OpenApiDocument['paths'][string];
type BareOperation = NonNullable<PathItem['get']>;

/** What this service's decorators add to an operation. */
export interface OperationExtensions {
  'x-audience'?: 'public' | 'end-user' | 'dashboard';
  'x-token-scope'?: string;
  /** API tokens may call it with any scopes. */
  'x-any-token'?: boolean;
  'x-least-role'?: string;
  'x-events'?: string[];
  'x-limits'?: string[];
  'x-idempotent'?: boolean;
  'x-no-head'?: boolean;
}
export type Operation = BareOperation & OperationExtensions;
export type Parameter = Exclude<NonNullable<BareOperation['parameters']>[number], { $ref: string }>;
export type ResponseObject = Exclude<NonNullable<BareOperation['responses'][string]>, { $ref: string }>;
export type Schemas = NonNullable<NonNullable<OpenApiDocument['components']>['schemas']>;

/** In path order. */
export const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;

export interface LocatedOperation {
  path: string;
  item: PathItem;
  operation: Operation;
}

export const operationsOf = (document: OpenApiDocument): LocatedOperation[] =>
  Object.entries(document.paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => (item[method] ? [{ path, item, operation: item[method] }] : [])),
  );
