import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { EnvironmentId } from '../../database/index.js';
import { ToldTraces, type ToldTrace } from '../../identity/index.js';
import { ExportsRepository } from './exports.repository.js';
import { ExportStorage, folderOf } from './storage/export-storage.js';

/** What an export that is not there any more says of itself. */
export const ERASED_FROM = 'Somebody who may be in the file was erased. Create another export.';

/**
 * Takes files away in which somebody is who was erased. Which lines of a sealed file are theirs nobody knows, so the whole
 * file goes, and whoever needs it asks for another. The row goes first, so that nobody fetches a part of a file, and stays
 * for as long as erasures are repeated: a part that a worker was writing meanwhile is removed by the next run.
 */
@Injectable()
export class ExportErasure implements ToldTrace, OnModuleInit {
  constructor(
    private readonly traces: ToldTraces,
    private readonly exports: ExportsRepository,
    private readonly storage: ExportStorage,
  ) {}

  onModuleInit(): void {
    this.traces.register(this);
  }

  async scrub(environmentId: EnvironmentId, _userIds: readonly string[], erasedAt: Date): Promise<void> {
    for (const id of await this.exports.withdraw(environmentId, erasedAt, ERASED_FROM)) {
      await this.storage.remove(folderOf({ environmentId, exportId: id }));
    }
  }
}
