import { isUuid } from '../../../common/ids.js';

export interface ExportFolder {
  environmentId: string;
  exportId: string;
}

/** The folder of the doctor's probes, beside those of environments. */
export const PROBES = 'probes';

export const folderOf = ({ environmentId, exportId }: ExportFolder): string => `${environmentId}/${exportId}`;

/** Null when the name is not an export folder. */
export function parseFolder(name: string): ExportFolder | null {
  const [environmentId, exportId, ...rest] = name.split('/');
  return isUuid(environmentId ?? '') && isUuid(exportId ?? '') && rest.length === 0
    ? { environmentId: environmentId!, exportId: exportId! }
    : null;
}

/**
 * Stores export files part by part. Parts are encrypted, so the storage operator cannot read them. Names consist of
 * letters, digits, `-` and `/`.
 */
export abstract class ExportStorage {
  /** Stores a part, replacing any of the same name; atomic for readers. */
  abstract put(name: string, bytes: Buffer): Promise<void>;

  /** Null when there is no such part. */
  abstract get(name: string): Promise<Buffer | null>;

  /** Removes one part; a no-op when it does not exist. */
  abstract removePart(name: string): Promise<void>;

  /** Removes all parts of a folder; a no-op when there are none. */
  abstract remove(folder: string): Promise<void>;

  /** Folders with parts, named by environment and export, in batches. */
  abstract folders(): AsyncGenerator<ExportFolder[]>;

  /**
   * Removes everything older, such as leftovers of a probe.
   *
   * @param isStopping asked between the steps; what is left then is removed by the next call
   */
  abstract removeOlderThan(time: Date, isStopping: () => boolean): Promise<void>;
}
