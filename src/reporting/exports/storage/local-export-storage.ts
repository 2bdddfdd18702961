import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Injectable } from '@nestjs/common';
import { isUuid } from '../../../common/ids.js';
import { Config } from '../../../config/index.js';
import { ExportStorage, parseFolder, PROBES, type ExportFolder } from './export-storage.js';

const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT';

/** A private folder in DATA_DIR. Several instances must share it, or one worker runs with the API. */
@Injectable()
export class LocalExportStorage extends ExportStorage {
  private readonly root: string;

  constructor(config: Config) {
    super();
    this.root = join(config.get('DATA_DIR'), 'exports');
  }

  override async put(name: string, bytes: Buffer): Promise<void> {
    const path = join(this.root, name);
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    const unfinished = `${path}.${randomUUID()}`;
    try {
      await writeFile(unfinished, bytes, { mode: 0o600, flush: true });
      await rename(unfinished, path);
    } catch (error) {
      // Removed before each retry: otherwise, leftovers of failed attempts would keep a full disk full.
      await rm(unfinished, { force: true });
      throw error;
    }
  }

  override async get(name: string): Promise<Buffer | null> {
    try {
      return await readFile(join(this.root, name));
    } catch (error) {
      if (isMissing(error)) return null;
      throw error;
    }
  }

  override async removePart(name: string): Promise<void> {
    await rm(join(this.root, name), { force: true });
  }

  override async remove(folder: string): Promise<void> {
    await rm(join(this.root, folder), { recursive: true, force: true });
  }

  override async *folders(): AsyncGenerator<ExportFolder[]> {
    for (const environment of await this.ownNames()) {
      const names = await this.namesIn(environment);
      yield names.map((name) => parseFolder(`${environment}/${name}`)).filter((folder) => folder !== null);
    }
  }

  override async removeOlderThan(time: Date): Promise<void> {
    for (const environment of await this.ownNames()) {
      for (const one of await this.namesIn(environment)) {
        const folder = join(environment, one);
        const { mtime } = await stat(join(this.root, folder));
        if (mtime < time) await this.remove(folder);
      }
    }
  }

  /** A volume has folders of its own, such as `lost+found`, which only root may read. */
  private async ownNames(): Promise<string[]> {
    return (await this.namesIn('')).filter((name) => isUuid(name) || name === PROBES);
  }

  private async namesIn(folder: string): Promise<string[]> {
    try {
      return await readdir(join(this.root, folder));
    } catch (error) {
      if (isMissing(error)) return [];
      throw error;
    }
  }
}
