import { Injectable } from '@nestjs/common';
import type { EnvironmentId } from '../../database/index.js';

/** Erased or deleted people of an environment. */
export interface Forgotten {
  userIds: readonly string[];
  /** Lower bound of the ids of their wallets' visits, which are deleted as well. */
  firstVisitorId: string;
  /** When the last of them was deleted: later records contain none of them. */
  erasedAt: Date;
}

/** Scrubs people from the records a context keeps of what it sent to others. */
export interface SentRecords {
  /** Must be idempotent, and opens no transaction of its own. */
  scrub(environmentId: EnvironmentId, people: Forgotten): Promise<void>;
}

/** Contexts that send data to others register a scrubber here. */
@Injectable()
export class SentRecordsRegistry {
  private readonly kinds: SentRecords[] = [];

  register(records: SentRecords): void {
    this.kinds.push(records);
  }

  async scrub(environmentId: EnvironmentId, people: Forgotten): Promise<void> {
    const failures: unknown[] = [];
    // A failing scrubber, for instance with its store unavailable, does not stop the others.
    for (const records of this.kinds) {
      await records.scrub(environmentId, people).catch((error: unknown) => failures.push(error));
    }
    if (failures.length > 0) throw failures[0];
  }
}
