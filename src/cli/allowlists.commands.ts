import type { INestApplicationContext } from '@nestjs/common';
import { AllowlistImport, IMPORT_BATCH, type ImportedLine } from '../access-control/index.js';
import { mintEnvironmentId, TenantDirectory } from '../auth/index.js';
import { isUuid } from '../common/ids.js';
import { parseOptions, required, UsageError } from './arguments.js';
import { readEntryFile } from './entry-file.js';
import { complain, say } from './terminal.js';

/** Batches between two progress reports. */
const BATCHES_OF_A_REPORT = 20;

/** Adds the people in a file to an allowlist. Can be interrupted and rerun: those already listed are refused. */
export async function allowlistsImport(app: INestApplicationContext, words: string[]): Promise<void> {
  const options = parseOptions(words, ['environment', 'allowlist', 'file']);
  const file = required(options.file, 'file');
  const allowlistId = required(options.allowlist, 'allowlist').toLowerCase();
  const id = required(options.environment, 'environment').toLowerCase();
  const environment = isUuid(id) ? await app.get(TenantDirectory).findEnvironment(id) : null;
  if (!environment) throw new UsageError(`There is no environment ${id}.`);
  const environmentId = mintEnvironmentId(environment.id);
  const entries = app.get(AllowlistImport);
  const isId: boolean = isUuid(allowlistId);
  if (!isId) throw new UsageError(`There is no allowlist ${allowlistId}.`);
  await entries.assertThere(environmentId, allowlistId);

  const sums = { added: 0, refused: 0, batches: 0 };
  const addBatch = async (batch: ImportedLine[]): Promise<void> => {
    const { added, refused } = await entries.add(environmentId, allowlistId, batch);
    for (const { line, problem } of refused) complain(`line ${line}: ${problem}`);
    sums.added += added;
    sums.refused += refused.length;
    sums.batches += 1;
    if (sums.batches % BATCHES_OF_A_REPORT === 0) complain(`… ${sums.added} added, ${sums.refused} refused`);
  };
  let batch: ImportedLine[] = [];
  for await (const line of readEntryFile(file)) {
    batch.push(line);
    if (batch.length === IMPORT_BATCH) {
      await addBatch(batch);
      batch = [];
    }
  }
  if (batch.length > 0) await addBatch(batch);
  say(`${sums.added} added, ${sums.refused} refused`);
}
