import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { mintEnvironmentId } from '../../auth/index.js';
import { Clock } from '../../common/clock.js';
import { Jobs } from '../../queue/index.js';
import { ExportStorage, folderOf } from './storage/export-storage.js';
import { ExportWriter } from './export-writer.js';
import { ExportsRepository, type ExportUnderWay } from './exports.repository.js';

export const EXPORT_BELL = 'exports.write';
const EVERY_MS = 10_000;
/** Longer than a step takes. What a worker left that died goes on when it is over. */
const LEASE_SECONDS = 90;
const SWEEP_MS = 3_600_000;
/** An hour more than an export is kept. */
const KEPT_MS = 25 * 3_600_000;

/** Writes files, one part of each in turn, so that a long one does not hold up a short one. */
@Injectable()
export class ExportsJob implements OnModuleInit {
  private readonly log = new Logger('Exports');

  constructor(
    private readonly jobs: Jobs,
    private readonly exports: ExportsRepository,
    private readonly writer: ExportWriter,
    private readonly storage: ExportStorage,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.jobs.every(EXPORT_BELL, EVERY_MS, () => this.run());
    this.jobs.every('exports.sweep', SWEEP_MS, () => this.sweep());
  }

  async run(): Promise<void> {
    while (!this.jobs.isStopping) {
      const due = await this.exports.claim(LEASE_SECONDS);
      if (!due) return;
      await this.step(due);
    }
  }

  /** Removes files of exports that are gone, alone or with their environment, and whatever else is old. */
  async sweep(): Promise<void> {
    for await (const folders of this.storage.folders()) {
      const kept = new Set((await this.exports.listKept(folders)).map(folderOf));
      for (const folder of folders.map(folderOf)) if (!kept.has(folder)) await this.storage.remove(folder);
    }
    await this.storage.removeOlderThan(new Date(this.clock.timestamp() - KEPT_MS));
  }

  /** A fault with one export must not keep the others waiting. */
  private async step({ environmentId, id }: ExportUnderWay): Promise<void> {
    try {
      await this.writer.step(mintEnvironmentId(environmentId), id);
    } catch (error) {
      this.log.error(`Export ${id} could not continue: ${(error as Error).message}`);
    }
  }
}
