import type { INestApplicationContext } from '@nestjs/common';
import { KeyRotation } from '../custody/index.js';
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
