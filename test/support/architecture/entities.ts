import { getMetadataArgsStorage } from 'typeorm';
import type { Class } from './load-modules.js';

const SCOPES = ['environmentId', 'organizationId'];

function lineage(type: Class): unknown[] {
  const chain: unknown[] = [];
  for (let link: unknown = type; typeof link === 'function'; link = Object.getPrototypeOf(link)) chain.push(link);
  return chain;
}

/** Entities without a tenant column, except those in `allowed` (class name to reason). */
export function findUnscopedEntities(classes: readonly Class[], allowed: Record<string, string>): string[] {
  const { tables, columns } = getMetadataArgsStorage();
  return classes
    .filter((type) => tables.some(({ target }) => target === type))
    .filter((type) => {
      const chain = lineage(type);
      const own = columns.filter(({ target }) => chain.includes(target)).map(({ propertyName }) => propertyName);
      return !SCOPES.some((scope) => own.includes(scope)) && !(type.name in allowed);
    })
    .map(({ name }) => name);
}
