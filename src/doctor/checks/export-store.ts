import type { ObjectStore } from '../../config/index.js';
import { fail, ok, warn, type Finding } from '../finding.js';

export interface ExportStoreInput {
  store: ObjectStore | null;
  isProduction: boolean;
  /** Writes, reads and removes; null when that went well. */
  probe: () => Promise<string | null>;
}

/** A folder is judged by the check of the data folder. */
export async function checkExportStore({ store, isProduction, probe }: ExportStoreInput): Promise<Finding> {
  if (!store) {
    return isProduction
      ? warn('exports are files in DATA_DIR', 'several instances have to share that folder, or set EXPORT_STORE')
      : ok('a folder of DATA_DIR');
  }
  const name = `${store.bucket} at ${new URL(store.origin).host}`;
  const fault = await probe();
  return fault === null
    ? ok(`${name} takes, gives and removes files`)
    : fail(`${name} cannot be used (${fault})`, 'check EXPORT_STORE: host, bucket, region, key and what it may do');
}
