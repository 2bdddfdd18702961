import type { ModulesContainer } from '@nestjs/core';
import { operationOf } from './operation.js';

/** Every operation of an application: its id and its handler method. */
export function operationHandlers(modules: ModulesContainer): { id: string; handler: object }[] {
  return [...modules.values()].flatMap(({ controllers }) =>
    [...controllers.values()].flatMap(({ metatype }) => {
      const prototype = (metatype as { prototype?: object } | null)?.prototype ?? {};
      return Object.values(Object.getOwnPropertyDescriptors(prototype)).flatMap(({ value }) => {
        const id = typeof value === 'function' ? operationOf(value as object)?.id : undefined;
        return id === undefined ? [] : [{ id, handler: value as object }];
      });
    }),
  );
}
