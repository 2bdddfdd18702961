import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { DataSource } from 'typeorm';
import { schemaDifference } from '../../src/database/generate-migration.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

const tablesIn = (folder: string): readonly string[] =>
  globSync(`${folder}/**/*.ts`, { cwd: ROOT }).flatMap((file) =>
    [...readFileSync(`${ROOT}${file}`, 'utf8').matchAll(/@Entity\('(\w+)'\)/g)].map(([, table = '']) => table),
  );

/**
 * The examples' tables. `TypeOrmModule.forFeature` registers entities for all applications of a process when a module
 * is loaded, so an application may know entities of a module loaded by another suite without having their tables.
 */
export const EXAMPLE_TABLES = tablesIn('examples');

/** The tables of the operator's own extensions, of whose rows the suites of the service know nothing. */
export const EXTENSION_TABLES = tablesIn('extensions');

/** The changes that would make the database match the service's entities and those of the given examples. */
export async function differenceWith(source: DataSource, ...examples: string[]): Promise<string[]> {
  const others = EXAMPLE_TABLES.filter((table) => !examples.includes(table));
  const { up } = await schemaDifference(source);
  return up.filter((query) => !others.some((table) => query.includes(`"${table}"`)));
}
