import { Injectable } from '@nestjs/common';

/**
 * One table of sealed secrets as the rotation of the master key sees it. Each context that seals a column provides one
 * and registers it, so that no sealed row is forgotten when an old master key is dropped.
 */
export abstract class SealedRecords {
  /** `table.column`, for reports. */
  abstract readonly name: string;

  /** Rows whose data key is not under the current master key. */
  abstract count(): Promise<number>;

  /**
   * Rewraps at most `limit` of these rows in one transaction of its own and passes over rows that others hold.
   *
   * @returns the number of rows that are now under the current master key
   * @throws UnopenedRowsError if some rows do not open; the others of the batch are written all the same
   */
  abstract rewrapBatch(limit: number): Promise<number>;
}

/** Every kind of sealed record in the process. */
@Injectable()
export class SealedRecordsRegistry {
  private readonly records = new Map<string, SealedRecords>();

  /** @throws Error if the name is taken */
  register(records: SealedRecords): void {
    if (this.records.has(records.name)) throw new Error(`Sealed records ${records.name} are registered twice.`);
    this.records.set(records.name, records);
  }

  all(): readonly SealedRecords[] {
    return [...this.records.values()];
  }
}
