import { Injectable } from '@nestjs/common';

/** Rows that are of no use after a time: those of a challenge, a code, a nonce. */
export abstract class ExpiredRows {
  /** Removes at most `limit` of them, whosever they are; answers how many. */
  abstract purge(limit: number): Promise<number>;
}

/** What the purge of this context removes. Whoever stores something that expires registers it at start. */
@Injectable()
export class ExpiringTables {
  private readonly tables: ExpiredRows[] = [];

  register(table: ExpiredRows): void {
    this.tables.push(table);
  }

  get all(): readonly ExpiredRows[] {
    return this.tables;
  }
}
