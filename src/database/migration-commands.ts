import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { DataSource } from 'typeorm';
import { dataSourceOptions } from './data-source.js';
import { migrationSource, schemaDifference } from './generate-migration.js';
import { applyMigrations, applyUnderLock, pendingMigrations } from './migrate.js';
import { bringRowSecurity } from './row-security/policies.js';

export type MigrationCommand = 'run' | 'revert' | 'generate';

const NAME = /^[a-z]+(-[a-z0-9]+)+$/;

interface Target {
  url: string;
  /** Entities of the application, needed to compare them with the database. */
  entities?: DataSource;
  /** Whether the tables should have row-level security policies. */
  rowSecurity: boolean;
  /** For `generate`: a verb and a noun, such as `add-webhook-headers`. */
  name?: string;
}

/** Changes the schema, or generates the next migration; returns the message for the operator. */
export async function runMigrationCommand(command: MigrationCommand, target: Target): Promise<string> {
  if (command === 'generate') return generate(target);
  const source = await new DataSource(dataSourceOptions({ url: target.url, pool: 3 })).initialize();
  try {
    if (command === 'revert') {
      await source.undoLastMigration({ transaction: 'all' });
      return 'Took the newest migration back.';
    }
    const pending = await pendingMigrations(source);
    await applyMigrations(source);
    const { changed, left } = await applyUnderLock(source, (holder) => bringRowSecurity(holder, target.rowSecurity));
    const verb = target.rowSecurity
      ? 'row-level security: made the policy of'
      : 'row-level security: dropped the policy of';
    const lines = [
      ...pending.map((name) => `applied ${name}`),
      ...changed.map((table) => `${verb} ${table}`),
      ...left.map((table) => `row-level security: ${table} belongs to another role and is left as it is`),
    ];
    return lines.join('\n') || 'Nothing to migrate.';
  } finally {
    await source.destroy();
  }
}

async function generate({ entities, name }: Target): Promise<string> {
  if (!entities || !name || !NAME.test(name)) return 'Name the change: npm run migration:generate -- <verb-noun>';
  const difference = await schemaDifference(entities);
  if (difference.up.length === 0) return 'The entities and the database agree; nothing to write.';
  const { file, text } = migrationSource(name, difference);
  writeFileSync(resolve('migrations', file), text);
  return `Wrote migrations/${file}. Read it, then add it to migrations/index.ts.`;
}
