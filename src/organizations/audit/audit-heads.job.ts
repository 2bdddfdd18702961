import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { Config } from '../../config/index.js';
import { JobQueue, Sweeper } from '../../queue/index.js';
import { AuditRecordsRepository } from './audit-records.repository.js';

const BELL = 'audit.heads';
const EVERY_MS = 3_600_000;
/** Also soon after a start, so that a service that is often restarted publishes too. */
const FIRST_MS = 60_000;
const BATCH = 500;
const FIRST = '00000000-0000-0000-0000-000000000000';

/**
 * Publishes the head of each trail in the log every hour. A log that is kept elsewhere is what somebody who can rewrite
 * the whole database cannot rewrite with it.
 */
@Injectable()
export class AuditHeadsJob implements OnModuleInit {
  private readonly log = new Logger('Audit');

  constructor(
    private readonly config: Config,
    private readonly queue: JobQueue,
    private readonly sweeper: Sweeper,
    private readonly records: AuditRecordsRepository,
  ) {}

  onModuleInit(): void {
    if (!this.config.runsJobs) return;
    this.queue.handle(BELL, () => this.run());
    this.sweeper.every(EVERY_MS, BELL);
    this.queue.ring(BELL, FIRST_MS);
  }

  async run(): Promise<void> {
    for (let after = FIRST; ;) {
      const heads = await this.records.listHeads(after, BATCH);
      for (const { organizationId, sequence, hash } of heads) {
        this.log.log(`organization=${organizationId} records=${sequence} head=${hash.toString('hex')}`);
        after = organizationId;
      }
      if (heads.length < BATCH) return;
    }
  }
}
