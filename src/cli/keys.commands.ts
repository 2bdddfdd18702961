import type { INestApplicationContext } from '@nestjs/common';
import { KeyRotation, type RotationProgress } from '../custody/index.js';
import { ForeignSeals, type ForeignRows } from '../database/index.js';
import { generateMasterKey, KeyRingError, KeyVault, SealedRecordsRegistry } from '../vault/index.js';
import { parseOptions, takeFlags, UsageError } from './arguments.js';
import { say } from './terminal.js';

export async function keysGenerate(words: string[]): Promise<void> {
  parseOptions(words, []);
  say(generateMasterKey());
}

export async function keysStatus(app: INestApplicationContext, words: string[]): Promise<void> {
  parseOptions(words, []);
  for (const records of app.get(SealedRecordsRegistry).all()) {
    say(`${records.name}  ${await records.count()} under an older master key`);
  }
  for (const { table, count } of await foreignSeals(app)) {
    say(`${table}  ${count} under an older master key, and no installed module rewraps them`);
  }
}

/** Rows in tables that no installed module owns, such as those of an extension that is no longer listed. */
function foreignSeals(app: INestApplicationContext): Promise<ForeignRows[]> {
  const names = app.get(SealedRecordsRegistry).all();
  const tables = new Set(names.map(({ name }) => name.split('.')[0]!));
  return app.get(ForeignSeals).list(tables, app.get(KeyVault).currentKeyId);
}

/** Rows that are named; if there are more, they have one cause. */
const MOST_NAMED = 20;

/** @throws UsageError after naming the rows that do not open */
function assertOpened(results: readonly RotationProgress[]): void {
  const unopened = results.flatMap(({ name, unopened: rows }) => rows.map((row) => `${name}  does not open: ${row}`));
  if (unopened.length === 0) return;
  unopened.slice(0, MOST_NAMED).forEach(say);
  throw new UsageError(
    `${unopened.length} sealed rows do not open and are as they were; the others have been moved. Add the master key ` +
      'that those with unknown-key are under; restore the rest from a backup, or remove them. Then run the command ' +
      'again, and keep the older key until it finds nothing left.',
  );
}

/**
 * Progress is kept, so the next run finishes an interrupted one. With `--retire` the vault
 * retires older keys, but only once nothing is left under them.
 */
export async function keysRewrap(app: INestApplicationContext, words: string[]): Promise<void> {
  const { flags, rest } = takeFlags(words, ['retire']);
  parseOptions(rest, []);
  // Before anything is rewrapped: check that the vault works, and learn which key version it wraps under.
  await app.get(KeyVault).health();
  const results = await app.get(KeyRotation).rewrapAll({
    onProgress: ({ name, rewrapped, remaining }) => say(`${name}  ${rewrapped} rewrapped, ${remaining} left`),
  });
  assertOpened(results);
  const left = results.filter(({ remaining }) => remaining > 0);
  if (left.length > 0)
    throw new UsageError(
      `Some records of ${left.map(({ name }) => name).join(', ')} were locked, or have been sealed under an older key since: run the command again.`,
    );
  const foreign = await foreignSeals(app);
  if (foreign.length > 0) {
    const rows = foreign.map(({ table, count }) => `${count} of ${table}`).join(', ');
    throw new UsageError(
      `Rows are left under an older master key (${rows}), and no installed module rewraps them: list the extension that ` +
        'owns them and run the command again, or remove them. Without the older key they are lost.',
    );
  }
  say('Every sealed record is under the current master key.');
  if (!flags.retire) return;
  const done = await app
    .get(KeyVault)
    .retireOlderKeys()
    .catch((error: unknown) => {
      throw error instanceof KeyRingError ? new UsageError(error.message) : error;
    });
  say(done);
}
