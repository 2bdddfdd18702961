import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { Jobs } from '../../queue/index.js';
import { KeyLedgerRepository } from './key-ledger.repository.js';

const BELL = 'keys.ledgerHeads';
const EVERY_MS = 3_600_000;
const BATCH = 500;
const FIRST = '00000000-0000-0000-0000-000000000000';

/**
 * Logs the head of each ledger every hour. Someone who can rewrite the whole database cannot rewrite a log kept
 * elsewhere; `cli ledger verify --heads` reads its lines.
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
    for (let after = FIRST; !this.jobs.isStopping;) {
      const heads = await this.rows.listHeads(after, BATCH);
      for (const { environmentId, sequence, hash } of heads) {
        this.log.log(`environment=${environmentId} rows=${sequence} head=${hash.toString('hex')}`);
        after = environmentId;
      }
      if (heads.length < BATCH) return;
    }
  }
}
