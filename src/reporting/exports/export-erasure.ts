import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { EnvironmentId } from '../../database/index.js';
import { ToldTraces, type Forgotten, type ToldTrace } from '../../identity/index.js';
import { JobQueue } from '../../queue/index.js';
import { EXPORT_BELL } from './exports.job.js';
import { ExportsRepository } from './exports.repository.js';
import { ExportStorage, folderOf } from './storage/export-storage.js';

/**
 * Takes parts of files away in which somebody may be who was erased, and has them made anew. Records are in the order of
 * their ids, so of a user who signed up just now it is the last part that goes: whoever comes and goes in a loop keeps
 * nobody from a file. The row changes first, so that nobody fetches a part that is to go. A page that was read while the
 * person went is found by the next run.
 */
@Injectable()
export class ExportErasure implements ToldTrace, OnModuleInit {
  constructor(
    private readonly traces: ToldTraces,
    private readonly exports: ExportsRepository,
    private readonly storage: ExportStorage,
    private readonly queue: JobQueue,
  ) {}

  onModuleInit(): void {
    this.traces.register(this);
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
