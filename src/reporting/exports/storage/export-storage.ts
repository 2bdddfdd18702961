import { isUuid } from '../../../common/ids.js';

export interface ExportFolder {
  environmentId: string;
  exportId: string;
}

export const folderOf = ({ environmentId, exportId }: ExportFolder): string => `${environmentId}/${exportId}`;

/** Null for what is no folder of an export. */
export function parseFolder(name: string): ExportFolder | null {
  const [environmentId, exportId, ...rest] = name.split('/');
  return isUuid(environmentId ?? '') && isUuid(exportId ?? '') && rest.length === 0
    ? { environmentId: environmentId!, exportId: exportId! }
    : null;
}

/**
 * Where files of exports are kept, part by part. What is kept is sealed: whoever runs the storage reads nothing. Names
 * are letters, digits, `-` and `/`.
 */
export abstract class ExportStorage {
  /** Keeps a part, in the place of one of the same name; a reader finds the whole of it or none. */
  abstract put(name: string, bytes: Buffer): Promise<void>;

  /** Null when there is no such part. */
  abstract get(name: string): Promise<Buffer | null>;

  /** Removes one part; it is no mistake when there is none. */
  abstract removePart(name: string): Promise<void>;

  /** Removes the parts of a folder; it is no mistake when there are none. */
  abstract remove(folder: string): Promise<void>;

  /** Folders that have parts, named by environment and export; some at a time. */
  abstract folders(): AsyncGenerator<ExportFolder[]>;

  /** Removes whatever is older, such as what a probe left behind. */
  abstract removeOlderThan(time: Date): Promise<void>;
}
