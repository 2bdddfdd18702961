import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { mintEnvironmentId } from '../../auth/index.js';
import { Clock } from '../../common/clock.js';
import { Database } from '../../database/index.js';
import { Jobs } from '../../queue/index.js';
import { ExportStorage, folderOf } from './storage/export-storage.js';
import { ExportWriter } from './export-writer.js';
import { ExportsRepository, type ExportUnderWay } from './exports.repository.js';

export const EXPORT_BELL = 'exports.write';
const EVERY_MS = 10_000;
/** Longer than a step takes. After it expires, another worker takes over from one that died. */
const LEASE_SECONDS = 90;
const SWEEP_MS = 3_600_000;
/** An hour longer than exports are kept. */
const KEPT_MS = 25 * 3_600_000;

/** Writes files one part at a time, in turn, so that a long one does not block a short one. */
@Injectable()
export class ExportsJob implements OnModuleInit {
  private readonly log = new Logger('Exports');

  constructor(
    private readonly jobs: Jobs,
    private readonly exports: ExportsRepository,
    private readonly writer: ExportWriter,
    private readonly storage: ExportStorage,
    private readonly database: Database,
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

  /** Removes the files of deleted exports and environments, and everything past its retention. */
  async sweep(): Promise<void> {
    for await (const folders of this.storage.folders()) {
      const kept = new Set((await this.exports.listKept(folders)).map(folderOf));
      for (const folder of folders.map(folderOf)) {
        if (this.jobs.isStopping) return;
        if (!kept.has(folder)) await this.storage.remove(folder);
      }
    }
    // Files have the time of a machine: by the earlier of the two clocks, a wrong one removes nothing early.
    const now = Math.min(this.clock.timestamp(), (await this.database.now()).getTime());
    await this.storage.removeOlderThan(new Date(now - KEPT_MS), () => this.jobs.isStopping);
  }

  /** An error with one export must not block the others. */
  private async step({ environmentId, id }: ExportUnderWay): Promise<void> {
    try {
      await this.writer.step(mintEnvironmentId(environmentId), id);
    } catch (error) {
      this.log.error(`Export ${id} could not continue: ${(error as Error).message}`);
    }
  }
}
