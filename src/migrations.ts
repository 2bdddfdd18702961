import { getDataSourceToken } from '@nestjs/typeorm';
import { createApp, explainStartFailure, prepare } from './bootstrap/index.js';
import { Config } from './config/index.js';
import { runMigrationCommand } from './database/index.js';

/** Migrations from the command line: run the pending ones, revert the last one, or generate the next one. */
async function main([command, name]: string[]): Promise<void> {
  if (command !== 'run' && command !== 'revert' && command !== 'generate') {
    throw new Error('Usage: npm run migration:run, migration:revert or migration:generate -- <verb-noun>');
  }
  const prepared = await prepare(Config.load(), (line) => console.error(line));
  const rowSecurity = prepared.config.get('DATABASE_ROW_SECURITY') === 'on';
  const url = prepared.config.get('DATABASE_URL') ?? '';
  const app = command === 'generate' ? await createApp(prepared) : null;
  try {
    console.log(
      await runMigrationCommand(command, { url, name, rowSecurity, entities: app?.get(getDataSourceToken()) }),
    );
  } finally {
    await app?.close();
    await prepared.stop();
  }
}

main(process.argv.slice(2)).then(
  () => process.exit(0),
  (error: unknown) => {
    console.error(explainStartFailure(error));
    process.exit(1);
  },
);
