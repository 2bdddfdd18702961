/**
 * Where files of exports are kept, part by part. What is kept is sealed: whoever runs the storage reads nothing. Names
 * are letters, digits, `-` and `/`.
 */
export abstract class ExportStorage {
  /** Keeps a part, in the place of one of the same name; a reader finds the whole of it or none. */
  abstract put(name: string, bytes: Buffer): Promise<void>;

  /** Null when there is no such part. */
  abstract get(name: string): Promise<Buffer | null>;

  /** Removes the parts of a folder; it is no mistake when there are none. */
  abstract remove(folder: string): Promise<void>;

  /** Removes whatever is older, such as parts of an environment that is gone. */
  abstract removeOlderThan(time: Date): Promise<void>;
}
