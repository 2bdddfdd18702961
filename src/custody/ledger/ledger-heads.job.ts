import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { Jobs } from '../../queue/index.js';
import { KeyLedgerRepository } from './key-ledger.repository.js';

const BELL = 'keys.ledgerHeads';
const EVERY_MS = 3_600_000;
const BATCH = 500;
const FIRST = '00000000-0000-0000-0000-000000000000';

/**
 * Publishes the head of each ledger in the log every hour. A log that is kept elsewhere is what somebody who can rewrite
 * the whole database cannot rewrite with it; `cli ledger verify --heads` reads its lines.
 */
@Injectable()
export class LedgerHeadsJob implements OnModuleInit {
  private readonly log = new Logger('Ledger');

  constructor(
    private readonly jobs: Jobs,
    private readonly rows: KeyLedgerRepository,
  ) {}

  onModuleInit(): void {
    this.jobs.every(BELL, EVERY_MS, () => this.run());
  }

  async run(): Promise<void> {
    for (let after = FIRST; ;) {
      const heads = await this.rows.listHeads(after, BATCH);
      for (const { environmentId, sequence, hash } of heads) {
        this.log.log(`environment=${environmentId} rows=${sequence} head=${hash.toString('hex')}`);
        after = environmentId;
      }
      if (heads.length < BATCH) return;
    }
  }
}
