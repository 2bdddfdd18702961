import type { DataSource } from 'typeorm';

export interface SchemaDifference {
  up: string[];
  down: string[];
}

/** The changes that would make the database match the entities; empty when they agree. */
export async function schemaDifference(source: DataSource): Promise<SchemaDifference> {
  const memory = await source.driver.createSchemaBuilder().log();
  return {
    up: memory.upQueries.map(({ query }) => query),
    down: memory.downQueries.map(({ query }) => query).reverse(),
  };
}

const timestamp = (at: Date): string => at.toISOString().replace(/\D/g, '').slice(0, 14);
const pascal = (name: string): string =>
  name.replace(/(^|-)([a-z0-9])/g, (_, _dash, letter: string) => letter.toUpperCase());
const statements = (queries: string[]): string =>
  queries.map((query) => `    await runner.query(\`${query.replace(/[`\\$]/g, '\\$&')}\`);`).join('\n');

/** The source of a migration, to be reviewed and named before it is committed. */
export function migrationSource(
  name: string,
  difference: SchemaDifference,
  // eslint-disable-next-line no-restricted-syntax -- the name of a file, chosen while developing
  at: Date = new Date(),
): { file: string; text: string } {
  const className = `${pascal(name)}${timestamp(at)}`;
  const text = `import type { MigrationInterface, QueryRunner } from 'typeorm';

export class ${className} implements MigrationInterface {
  name = '${className}';

  async up(runner: QueryRunner): Promise<void> {
${statements(difference.up)}
  }

  async down(runner: QueryRunner): Promise<void> {
${statements(difference.down)}
  }
}
`;
  return { file: `${timestamp(at)}-${name}.ts`, text };
}
