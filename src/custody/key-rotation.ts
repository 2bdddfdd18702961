import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { SealedRecordsRegistry, type SealedRecords } from '../vault/index.js';

const BATCH = 500;
/** Pause between retries while other processes hold rows. Gives up after 10 seconds without progress. */
const PAUSE_MS = 250;
const MAX_PAUSES = 40;

export interface RotationProgress {
  /** `table.column` of the records. */
  readonly name: string;
  /** Rows that this run has rewrapped. */
  readonly rewrapped: number;
  /** Rows still under another master key. The old key may be removed when this is 0 for all records. */
  readonly remaining: number;
}

export interface RotationOptions {
  /** Rows per transaction, 500 by default. */
  readonly batch?: number;
  /** Called after each batch. */
  readonly onProgress?: (progress: RotationProgress) => void;
}

/**
 * Rewraps every sealed secret of the service under the current master key. Progress is durable: if a run is killed the
 * next one continues, several may run at once, and reads and writes go on meanwhile. Every instance must have the new
 * key beforehand, or it goes on sealing under the old one.
 */
@Injectable()
export class KeyRotation {
  constructor(private readonly registry: SealedRecordsRegistry) {}

  /**
   * @returns the final progress of each kind of record; `remaining` above 0 means others held rows: run again
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
    // Counting scans all remaining rows, so it is done only when a short batch suggests the end is near.
    const remaining = done < batch ? await records.count() : Math.max(progress.remaining - done, 1);
    progress = { name: records.name, rewrapped: progress.rewrapped + done, remaining };
    onProgress?.(progress);
    pauses = done > 0 ? 0 : pauses + 1;
    if (done === 0 && remaining > 0) await sleep(PAUSE_MS);
  }
  return progress;
}
