import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { DataSource } from 'typeorm';
import { createApp } from './bootstrap/create-app.js';
import { prepare } from './bootstrap/prepare.js';
import { explainStartFailure } from './bootstrap/start-failure.js';
import { Config } from './config/index.js';
import { dataSourceOptions } from './database/data-source.js';
import { migrationSource, schemaDifference } from './database/generate-migration.js';
import { applyMigrations, pendingMigrations } from './database/migrate.js';

const USAGE = 'Usage: npm run migration:run | migration:revert | migration:generate -- <verb-noun>';

/** Schema changes from the command line: run what is pending, take the last one back, or write the next one. */
async function main([command, name]: string[]): Promise<void> {
  const config = Config.load();
  const prepared = await prepare(config, (line) => console.error(line));
  try {
    if (command === 'generate') return await generate(name, prepared);
    const url = prepared.config.get('DATABASE_URL') ?? '';
    const source = await new DataSource(dataSourceOptions({ url, pool: 3 })).initialize();
    try {
      if (command === 'run') await run(source);
      else if (command === 'revert') await source.undoLastMigration({ transaction: 'all' });
      else throw new Error(USAGE);
    } finally {
      await source.destroy();
    }
  } finally {
    await prepared.stop();
  }
}

async function run(source: DataSource): Promise<void> {
  const pending = await pendingMigrations(source);
  await applyMigrations(source);
  console.log(pending.length === 0 ? 'Nothing to migrate.' : pending.map((migration) => `applied ${migration}`).join('\n'));
}

async function generate(name: string | undefined, parts: Parameters<typeof createApp>[0]): Promise<void> {
  if (!name || !/^[a-z]+(-[a-z0-9]+)+$/.test(name)) throw new Error(USAGE);
  const app = await createApp(parts);
  try {
    const difference = await schemaDifference(app.get(DataSource));
    if (difference.up.length === 0) return console.log('The entities and the database agree; nothing to write.');
    const { file, text } = migrationSource(name, difference);
    writeFileSync(resolve('migrations', file), text);
    console.log(`Wrote migrations/${file}. Read it, then add it to migrations/index.ts.`);
  } finally {
    await app.close();
  }
}

main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(explainStartFailure(error));
  process.exit(1);
});
