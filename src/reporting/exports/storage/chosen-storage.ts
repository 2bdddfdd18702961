import { randomBytes } from 'node:crypto';
import { Clock } from '../../../common/clock.js';
import { newId } from '../../../common/ids.js';
import type { Config } from '../../../config/index.js';
import { PROBES, type ExportStorage } from './export-storage.js';
import { LocalExportStorage } from './local-export-storage.js';
import { S3ExportStorage } from './s3-export-storage.js';

/** The configured store. */
export function chosenStorage(config: Config, clock: Clock): ExportStorage {
  const store = config.get('EXPORT_STORE');
  return store ? new S3ExportStorage(store, clock) : new LocalExportStorage(config);
}

/** Writes, reads and removes a part. @returns null on success, otherwise what failed */
export async function probeStorage(config: Config): Promise<string | null> {
  const storage = chosenStorage(config, new Clock());
  const [folder, bytes] = [`${PROBES}/${newId()}`, randomBytes(32)];
  try {
    await storage.put(`${folder}/0`, bytes);
    if (!(await storage.get(`${folder}/0`))?.equals(bytes)) return 'what was written cannot be read';
    await storage.remove(folder);
    return (await storage.get(`${folder}/0`)) === null ? null : 'what was removed is still there';
  } catch (error) {
    return (error as Error).message;
  } finally {
    if (storage instanceof S3ExportStorage) await storage.onApplicationShutdown();
  }
}
