import type { INestApplicationContext } from '@nestjs/common';
import { KeyRotation } from '../custody/index.js';
import { ForeignSeals, type ForeignRows } from '../database/index.js';
import { generateMasterKey, KeyRingError, KeyVault, SealedRecordsRegistry } from '../vault/index.js';
import { parseOptions, takeFlags, UsageError } from './arguments.js';

export async function keysGenerate(words: string[]): Promise<void> {
  parseOptions(words, []);
  console.log(generateMasterKey());
}

export async function keysStatus(app: INestApplicationContext, words: string[]): Promise<void> {
  parseOptions(words, []);
  for (const records of app.get(SealedRecordsRegistry).all()) {
    console.log(`${records.name}  ${await records.count()} under an older master key`);
  }
  for (const { table, count } of await foreignSeals(app)) {
    console.log(`${table}  ${count} under an older master key, and no module here moves them`);
  }
}

/** Of a table that no module here has, such as one of an extension that is not listed any more. */
function foreignSeals(app: INestApplicationContext): Promise<ForeignRows[]> {
  const names = app.get(SealedRecordsRegistry).all();
  const tables = new Set(names.map(({ name }) => name.split('.')[0]!));
  return app.get(ForeignSeals).list(tables, app.get(KeyVault).currentKeyId);
}

/**
 * What is done stays done, so a run that was interrupted is finished by the next one. With `--retire` the vault is told
 * to forget older keys, and only once nothing is left under them.
 */
export async function keysRewrap(app: INestApplicationContext, words: string[]): Promise<void> {
  const { flags, rest } = takeFlags(words, ['retire']);
  parseOptions(rest, []);
  // Before anything is moved: that it works at all, and which version of its key a vault wraps under.
  await app.get(KeyVault).health();
  const results = await app.get(KeyRotation).rewrapAll({
    onProgress: ({ name, rewrapped, remaining }) => console.log(`${name}  ${rewrapped} moved, ${remaining} left`),
  });
  const left = results.filter(({ remaining }) => remaining > 0);
  if (left.length > 0)
    throw new UsageError(`Records of ${left.map(({ name }) => name).join(', ')} were busy: run it again.`);
  const foreign = await foreignSeals(app);
  if (foreign.length > 0) {
    const rows = foreign.map(({ table, count }) => `${count} of ${table}`).join(', ');
    throw new UsageError(
      `Rows are left under an older master key, ${rows}, and no module here moves them: list the extension that they belong ` +
        'to and run it again, or remove them. Without the older key they are lost.',
    );
  }
  console.log('Every sealed record is under the current master key.');
  if (!flags.retire) return;
  const done = await app
    .get(KeyVault)
    .retireOlderKeys()
    .catch((error: unknown) => {
      throw error instanceof KeyRingError ? new UsageError(error.message) : error;
    });
  console.log(done);
}
