import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { LogRecord } from '../../common/log-record.js';
import { oldRows, type EnvironmentId } from '../../database/index.js';
import { Jobs, PurgeJob } from '../../queue/index.js';
import { Erasure } from './erasure.entity.js';
import { BATCH, ErasuresRepository, type OpenErasure } from './erasures.repository.js';
import { SentRecordsRegistry } from './sent-records.js';

/** Triggered by an erasure. */
export const ERASURES_BELL = 'erasures.scrub';
const MINUTE_MS = 60_000;

/** Scrubs events about erased or deleted people: when due, and again once no delivery can still be pending. */
@Injectable()
export class ErasuresJob implements OnModuleInit {
  private readonly log = new Logger('Erasures');

  constructor(
    private readonly jobs: Jobs,
    private readonly erasures: ErasuresRepository,
    private readonly sentRecords: SentRecordsRegistry,
  ) {}

  onModuleInit(): void {
    this.jobs.every(ERASURES_BELL, MINUTE_MS, () => this.run());
  }

  /** Goes on until the last batch, so that many users deleted at once delay nobody else's erasure. */
  async run(): Promise<void> {
    let isMore = true;
    while (isMore) {
      const batch = await this.erasures.listOpen();
      let done = 0;
      for (const [environmentId, people] of Map.groupBy(batch, ({ environmentId }) => environmentId)) {
        if (this.jobs.isStopping) return;
        done += await this.forget(environmentId, people);
      }
      // Those due only now stay in the list until pending deliveries have arrived.
      isMore = batch.length === BATCH && done > 0;
    }
  }

  /**
   * Failures, such as an unavailable store, are left to the next run and do not delay other tenants.
   * @returns how many are no longer due
   */
  private async forget(environmentId: EnvironmentId, people: readonly OpenErasure[]): Promise<number> {
    // In one batch: each scrub goes through everything the environment has sent.
    const userIds = people.flatMap((person) => person.userIds);
    const erasedAt = new Date(Math.max(...people.map(({ createdAt }) => createdAt.getTime())));
    const firstVisitorId = people.map((person) => person.firstVisitorId).toSorted()[0]!;
    const ids = people.map(({ id }) => id);
    try {
      await this.sentRecords.scrub(environmentId, { userIds, firstVisitorId, erasedAt });
      return await this.erasures.settle(environmentId, ids);
    } catch (error) {
      const text = `Users could not be erased: ${(error as Error).message}`;
      this.log.error(new LogRecord(text, { environmentId }));
      await this.erasures.postpone(environmentId, ids);
      return ids.length;
    }
  }
}

/** Deletes the records of completed erasures. */
@Injectable()
export class ErasuresPurge extends PurgeJob {
  protected readonly name = 'erasures.purge';
  protected readonly old = [oldRows(Erasure, 'scrubbedAt', { keptSeconds: 7 * 86_400 })];
}
