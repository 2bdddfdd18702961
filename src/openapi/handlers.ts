import type { ModulesContainer } from '@nestjs/core';
import { operationOf } from '../common/http/operation.js';

/** The handler of each operation, by operation id. */
export function handlersOf(modules: ModulesContainer): Map<string, object> {
  const handlers = new Map<string, object>();
  for (const { controllers } of modules.values()) {
    for (const { metatype } of controllers.values()) {
      const prototype = (metatype as { prototype?: object } | null)?.prototype ?? {};
      for (const { value } of Object.values(Object.getOwnPropertyDescriptors(prototype))) {
        const id = typeof value === 'function' ? operationOf(value as object)?.id : undefined;
        if (id !== undefined) handlers.set(id, value as object);
      }
    }
  }
  return handlers;
}
