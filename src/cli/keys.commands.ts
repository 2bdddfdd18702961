import type { INestApplicationContext } from '@nestjs/common';
import { KeyRotation } from '../custody/index.js';
import { generateMasterKey, SealedRecordsRegistry } from '../vault/index.js';
import { parseOptions, UsageError } from './arguments.js';

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

/** What is done stays done, so a run that was interrupted is finished by the next one. */
export async function keysRotate(app: INestApplicationContext, words: string[]): Promise<void> {
  parseOptions(words, []);
  const results = await app.get(KeyRotation).rewrapAll({
    onProgress: ({ name, rewrapped, remaining }) => console.log(`${name}  ${rewrapped} moved, ${remaining} left`),
  });
  const left = results.filter(({ remaining }) => remaining > 0);
  if (left.length > 0)
    throw new UsageError(`Records of ${left.map(({ name }) => name).join(', ')} were busy: run it again.`);
  console.log('Every sealed record is under the current master key; older keys may leave MASTER_KEY.');
}
