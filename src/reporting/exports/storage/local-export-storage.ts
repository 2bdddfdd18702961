import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Injectable } from '@nestjs/common';
import { isUuid } from '../../../common/ids.js';
import { Config } from '../../../config/index.js';
import { ExportStorage, parseFolder, PROBES, type ExportFolder } from './export-storage.js';

/** Null when the file or folder does not exist, or no longer does: exports are also removed while others are swept. */
async function ifPresent<T>(reading: Promise<T>): Promise<T | null> {
  try {
    return await reading;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

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
    return ifPresent(readFile(join(this.root, name)));
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

  override async removeOlderThan(time: Date, isStopping: () => boolean): Promise<void> {
    for (const environment of await this.ownNames()) {
      for (const one of await this.namesIn(environment)) {
        if (isStopping()) return;
        const folder = join(environment, one);
        const found = await ifPresent(stat(join(this.root, folder)));
        if (found && found.mtime < time) await this.remove(folder);
      }
    }
  }

  /** A volume has folders of its own, such as `lost+found`, which only root may read. */
  private async ownNames(): Promise<string[]> {
    return (await this.namesIn('')).filter((name) => isUuid(name) || name === PROBES);
  }

  private async namesIn(folder: string): Promise<string[]> {
    return (await ifPresent(readdir(join(this.root, folder)))) ?? [];
  }
}
