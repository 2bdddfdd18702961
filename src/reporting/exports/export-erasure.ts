import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { EnvironmentId } from '../../database/index.js';
import { SentRecordsRegistry, type Forgotten, type SentRecords } from '../../identity/index.js';
import { JobQueue } from '../../queue/index.js';
import { EXPORT_BELL } from './exports.job.js';
import { ExportsRepository } from './exports.repository.js';
import { ExportStorage, folderOf } from './storage/export-storage.js';

/**
 * Removes the parts of files that may contain an erased person, and has them rewritten. Records are in id order, so a
 * recent sign-up affects only the last part: repeated sign-ups and deletions cannot block a file. The row is updated
 * first, so that a part about to be removed is not served. A page read during the erasure is caught by the next run.
 */
@Injectable()
export class ExportErasure implements SentRecords, OnModuleInit {
  constructor(
    private readonly sentRecords: SentRecordsRegistry,
    private readonly exports: ExportsRepository,
    private readonly storage: ExportStorage,
    private readonly queue: JobQueue,
  ) {}

  onModuleInit(): void {
    this.sentRecords.register(this);
  }

  async scrub(environmentId: EnvironmentId, { userIds, firstVisitorId, erasedAt }: Forgotten): Promise<void> {
    const users = { model: 'users', from: userIds.toSorted()[0]!, askedBy: erasedAt } as const;
    const visits = { model: 'visits', from: firstVisitorId, askedBy: erasedAt } as const;
    for (const records of [users, visits]) {
      for (const taken of await this.exports.takeBack(environmentId, records)) {
        this.queue.ring(EXPORT_BELL);
        const folder = folderOf({ environmentId, exportId: taken.id });
        for (const part of taken.dropped) await this.storage.removePart(`${folder}/${part}`);
        await this.exports.forgetDropped(environmentId, taken);
      }
    }
  }
}
