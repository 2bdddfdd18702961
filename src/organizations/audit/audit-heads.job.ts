import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { Jobs } from '../../queue/index.js';
import { AuditRecordsRepository } from './audit-records.repository.js';

const BELL = 'audit.heads';
const EVERY_MS = 3_600_000;
const BATCH = 500;
const FIRST = '00000000-0000-0000-0000-000000000000';

/**
 * Writes the head of each trail to the log every hour. A log kept elsewhere is beyond the reach of an attacker who can
 * rewrite the whole database.
 */
@Injectable()
export class AuditHeadsJob implements OnModuleInit {
  private readonly log = new Logger('Audit');

  constructor(
    private readonly jobs: Jobs,
    private readonly records: AuditRecordsRepository,
  ) {}

  onModuleInit(): void {
    this.jobs.every(BELL, EVERY_MS, () => this.run());
  }

  async run(): Promise<void> {
    for (let after = FIRST; !this.jobs.isStopping;) {
      const heads = await this.records.listHeads(after, BATCH);
      for (const { organizationId, sequence, hash } of heads) {
        this.log.log(`organization=${organizationId} records=${sequence} head=${hash.toString('hex')}`);
        after = organizationId;
      }
      if (heads.length < BATCH) return;
    }
  }
}
