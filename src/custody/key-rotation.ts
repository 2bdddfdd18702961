import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { SealedRecordsRegistry, UnopenedRowsError, type SealedRecords } from '../vault/index.js';

const BATCH = 500;
/** Pause between retries while other processes hold rows. Gives up after 10 seconds without progress. */
const PAUSE_MS = 250;
const MAX_PAUSES = 40;
/** How often all records are gone through: more only while the current key changes, or others seal under another. */
const MAX_ROUNDS = 3;

export interface RotationProgress {
  /** `table.column` of the records. */
  readonly name: string;
  /** Rows that this run has rewrapped. */
  readonly rewrapped: number;
  /** Rows still under another master key. The old key may be removed when this is 0 for all records. */
  readonly remaining: number;
  /** Those of them that do not open: what identifies each, and why. They stay as they are. */
  readonly unopened: readonly string[];
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
   * @returns the final progress of each kind of record; `remaining` above 0 means others held rows, or still seal under
   *   another key: run again
   * @throws KeyVaultUnavailableError, and whatever else keeps rows from being rewrapped; progress is kept
   */
  async rewrapAll(options: RotationOptions = {}): Promise<RotationProgress[]> {
    const results = new Map<SealedRecords, RotationProgress>();
    let due = this.registry.all();
    for (let round = 0; due.length > 0 && round < MAX_ROUNDS; round++) {
      for (const records of due) results.set(records, await rewrapRecords(records, options, results.get(records)));
      due = await outdatedSince(results);
    }
    return [...results.values()];
  }
}

/**
 * A remote vault may get a new key in the middle of a run: what was moved before is then under the one before it, and
 * would be lost with the older keys. Corrects the progress of these records.
 */
async function outdatedSince(results: Map<SealedRecords, RotationProgress>): Promise<SealedRecords[]> {
  const due: SealedRecords[] = [];
  for (const [records, progress] of results) {
    const remaining = await records.count();
    if (remaining > progress.remaining) due.push(records);
    results.set(records, { ...progress, remaining });
  }
  return due;
}

async function rewrapRecords(
  records: SealedRecords,
  { batch = BATCH, onProgress }: RotationOptions,
  { rewrapped }: Pick<RotationProgress, 'rewrapped'> = { rewrapped: 0 },
): Promise<RotationProgress> {
  let progress: RotationProgress = { name: records.name, rewrapped, remaining: await records.count(), unopened: [] };
  for (let pauses = 0; progress.remaining > progress.unopened.length && pauses < MAX_PAUSES;) {
    // Rows that do not open are listed again each time, before those that have not been read yet.
    const limit = batch + progress.unopened.length;
    const { done, unopened } = await rewrapSome(records, limit);
    // Counting scans all remaining rows, so it is done only when a short batch suggests the end is near.
    const remaining = done < limit ? await records.count() : Math.max(progress.remaining - done, 1);
    const isHeldUp = done === 0 && unopened.length <= progress.unopened.length;
    progress = { name: records.name, rewrapped: progress.rewrapped + done, remaining, unopened };
    onProgress?.(progress);
    pauses = done > 0 ? 0 : pauses + 1;
    if (isHeldUp && remaining > unopened.length) await sleep(PAUSE_MS);
  }
  return progress;
}

async function rewrapSome(
  records: SealedRecords,
  limit: number,
): Promise<{ done: number; unopened: readonly string[] }> {
  try {
    return { done: await records.rewrapBatch(limit), unopened: [] };
  } catch (error) {
    if (error instanceof UnopenedRowsError) return { done: error.rewrapped, unopened: error.rows };
    throw error;
  }
}
