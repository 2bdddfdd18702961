import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import { accessOf, ownershipOf } from '../../../src/auth/index.js';
import { API_PREFIX, operationOf, resultOf } from '../../../src/common/http/operation.js';
import { takesWork } from '../../../src/idempotency/index.js';
import { derivedErrors } from '../../../src/openapi/derived-errors.js';
import { operationsOf, type OpenApiDocument } from '../../../src/openapi/document-types.js';
import type { Class } from './load-modules.js';

/** A controller method that handles requests. */
export interface Handler {
  readonly controller: Class;
  readonly name: string;
  readonly method: object;
}

const pathOf = (target: object): string => {
  const path = Reflect.getMetadata(PATH_METADATA, target) as string | string[] | undefined;
  return [path ?? ''].flat()[0]!.replace(/^\/+|\/+$/g, '');
};

const routeOf = ({ controller, method }: Handler): string => `${pathOf(controller)}/${pathOf(method)}`;

export const isController = (type: Class): boolean => Reflect.hasMetadata(PATH_METADATA, type);

/** The handlers of controllers, including inherited ones. */
export function handlersOf(controllers: readonly Class[]): Handler[] {
  return controllers.flatMap((controller) => {
    const methods = new Map<string, object>();
    for (let link = controller.prototype as object; link !== Object.prototype; link = Object.getPrototypeOf(link)) {
      for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(link))) {
        if (typeof value !== 'function' || methods.has(name)) continue;
        if (Reflect.hasMetadata(METHOD_METADATA, value)) methods.set(name, value as object);
      }
    }
    return [...methods].map(([name, method]) => ({ controller, name, method }));
  });
}

const label = ({ controller, name }: Handler): string => `${controller.name}.${name}`;

/** Handlers without an access declaration. The guard rejects them; the test finds the mistake earlier. */
export const findWithoutAccess = (handlers: readonly Handler[]): string[] =>
  handlers.filter(({ controller, method }) => !accessOf(method, controller)).map(label);

/** API handlers without an operation or a result. `pages` names the controllers that serve people. */
export function findUndeclared(handlers: readonly Handler[], pages: Record<string, string>): string[] {
  return handlers
    .filter(({ controller }) => !(controller.name in pages))
    .flatMap((handler) => [
      ...(operationOf(handler.method) ? [] : [`${label(handler)}: no operation`]),
      ...(resultOf(handler.method) ? [] : [`${label(handler)}: no result`]),
    ]);
}

/** Pages inside the API, unlisted pages, and API handlers that are open like a page. */
export function findMisplaced(handlers: readonly Handler[], pages: Record<string, string>): string[] {
  return handlers.flatMap((handler) => {
    const { controller, method } = handler;
    const isPage = controller.name in pages;
    const inApi = routeOf(handler).startsWith(`${API_PREFIX}/`);
    if (isPage === inApi) return [`${label(handler)}: ${isPage ? 'a page inside the API' : 'outside of the API'}`];
    return inApi && accessOf(method, controller)?.audience === 'page' ? [`${label(handler)}: open like a page`] : [];
  });
}

/**
 * Dashboard handlers that take a record id without a tenant in the path or an owner lookup: nothing would compare the
 * record's tenant with the caller. `allowed` is by operation id.
 */
export function findWithoutOwner(handlers: readonly Handler[], allowed: Record<string, string>): string[] {
  return handlers
    .filter(({ controller, method }) => accessOf(method, controller)?.audience === 'dashboard')
    .filter(({ method }) => !((operationOf(method)?.id ?? '') in allowed))
    .filter((handler) => {
      const names = [...routeOf(handler).matchAll(/:(\w+)/g)].map(([, name]) => name);
      if (names.length === 0 || names.includes('environmentId') || names.includes('organizationId')) return false;
      return !names.includes(ownershipOf(handler.method)?.param);
    })
    .map((handler) => `${label(handler)}: ${routeOf(handler)}`);
}

/** Handlers that take an `Idempotency-Key` but not the call's work, or the work without a key. */
export const findWithoutWork = (handlers: readonly Handler[]): string[] =>
  handlers
    .filter(
      ({ controller, name, method }) => takesWork(controller, name) !== (operationOf(method)?.idempotent === true),
    )
    .map(label);

/** Operation ids used by more than one handler. */
export function findRepeatedOperations(handlers: readonly Handler[]): string[] {
  const ids = handlers.flatMap(({ method }) => operationOf(method)?.id ?? []);
  return [...new Set(ids.filter((id, index) => ids.indexOf(id) !== index))];
}

/** Errors listed by handlers although the document derives them from access, path, body and query. */
export function findRepeatedErrors(handlers: readonly Handler[], document: OpenApiDocument): string[] {
  const documented = new Map(operationsOf(document).map((located) => [located.operation.operationId, located]));
  return handlers.flatMap((handler) => {
    const { id, errors = [] } = operationOf(handler.method) ?? {};
    const located = documented.get(id);
    const derived = located ? derivedErrors(located.path, located.operation, accessOf(handler.method)) : [];
    const listed: readonly number[] = errors;
    return derived.filter((status) => listed.includes(status)).map((status) => `${label(handler)}: ${status}`);
  });
}
