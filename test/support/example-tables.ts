import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { DataSource } from 'typeorm';
import { schemaDifference } from '../../src/database/generate-migration.js';

const FOLDER = fileURLToPath(new URL('../../examples/', import.meta.url));

/**
 * The tables of examples. `TypeOrmModule.forFeature` notes entities for all applications of a process as soon as a module is
 * loaded, so an application knows them although another suite has loaded the module, and its database has none.
 */
export const EXAMPLE_TABLES: readonly string[] = globSync('**/*.ts', { cwd: FOLDER }).flatMap((file) =>
  [...readFileSync(`${FOLDER}${file}`, 'utf8').matchAll(/@Entity\('(\w+)'\)/g)].map(([, table = '']) => table),
);

/** What would have to change for the database to match the entities of the service and of the examples that it has. */
export async function differenceWith(source: DataSource, ...examples: string[]): Promise<string[]> {
  const others = EXAMPLE_TABLES.filter((table) => !examples.includes(table));
  const { up } = await schemaDifference(source);
  return up.filter((query) => !others.some((table) => query.includes(`"${table}"`)));
}
