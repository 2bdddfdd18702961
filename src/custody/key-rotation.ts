import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { SealedRecordsRegistry, type SealedRecords } from '../vault/index.js';

const BATCH = 500;
/** Rows that another process holds are waited for, this often and this long in all: 10 seconds without progress. */
const PAUSE_MS = 250;
const MAX_PAUSES = 40;

export interface RotationProgress {
  /** `table.column` of the records. */
  readonly name: string;
  /** Rows that this run has moved. */
  readonly rewrapped: number;
  /** Rows still under another master key. The old key may be dropped when this is 0 for all records. */
  readonly remaining: number;
}

export interface RotationOptions {
  /** Rows of one transaction, 500 unless stated. */
  readonly batch?: number;
  /** Called after each batch. */
  readonly onProgress?: (progress: RotationProgress) => void;
}

/**
 * Moves every sealed secret of the service under the current master key. What is done stays done: a run that was killed
 * is continued by the next, several may run at once, and reads and writes go on meanwhile. Every instance must have the
 * new key before the start, or it goes on sealing under the old one.
 */
@Injectable()
export class KeyRotation {
  constructor(private readonly registry: SealedRecordsRegistry) {}

  /**
   * @returns the final progress of each kind of record; `remaining` above 0 means rows held by others: run again
   * @throws SealedBlobError if a row does not open, for instance because its master key is no longer in the ring
   */
  async rewrapAll(options: RotationOptions = {}): Promise<RotationProgress[]> {
    const results: RotationProgress[] = [];
    for (const records of this.registry.all()) results.push(await rewrapRecords(records, options));
    return results;
  }
}

async function rewrapRecords(
  records: SealedRecords,
  { batch = BATCH, onProgress }: RotationOptions,
): Promise<RotationProgress> {
  let progress = { name: records.name, rewrapped: 0, remaining: await records.count() };
  for (let pauses = 0; progress.remaining > 0 && pauses < MAX_PAUSES;) {
    const done = await records.rewrapBatch(batch);
    // Counting reads all that is left: only when the batch suggests the end is near.
    const remaining = done < batch ? await records.count() : Math.max(progress.remaining - done, 1);
    progress = { name: records.name, rewrapped: progress.rewrapped + done, remaining };
    onProgress?.(progress);
    pauses = done > 0 ? 0 : pauses + 1;
    if (done === 0 && remaining > 0) await sleep(PAUSE_MS);
  }
  return progress;
}
