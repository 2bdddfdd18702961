import type { ObjectStore } from '../../config/index.js';
import { fail, ok, warn, type Finding } from '../finding.js';

export interface ExportStoreInput {
  store: ObjectStore | null;
  isProduction: boolean;
  /** Writes, reads and deletes a file; null on success, else the reason. */
  probe: () => Promise<string | null>;
}

/** A local folder is not probed. */
export async function checkExportStore({ store, isProduction, probe }: ExportStoreInput): Promise<Finding> {
  if (!store) {
    return isProduction
      ? warn('exports are files in DATA_DIR', 'with several instances, share that folder or set EXPORT_STORE')
      : ok('a folder in DATA_DIR');
  }
  const name = `${store.bucket} at ${new URL(store.origin).host}`;
  const fault = await probe();
  return fault === null
    ? ok(`${name} can write, read and delete files`)
    : fail(`${name} cannot be used (${fault})`, 'check EXPORT_STORE: host, bucket, region, key and its permissions');
}
