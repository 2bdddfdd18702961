import { Injectable, type OnModuleInit } from '@nestjs/common';
import { UnitOfWork } from '../database/index.js';
import { KeyVault, SealedRecords, SealedRecordsRegistry } from '../vault/index.js';
import { AnswerSeal } from './answer-seal.js';
import { SealedAnswersRepository } from './sealed-answers.repository.js';

/** Answers that are kept, as the rotation of the master key sees them. */
@Injectable()
export class SealedAnswers extends SealedRecords implements OnModuleInit {
  readonly name = 'idempotency_keys.sealed_body';

  constructor(
    private readonly rows: SealedAnswersRepository,
    private readonly seal: AnswerSeal,
    private readonly vault: KeyVault,
    private readonly work: UnitOfWork,
    private readonly registry: SealedRecordsRegistry,
  ) {
    super();
  }

  onModuleInit(): void {
    this.registry.register(this);
  }

  count(): Promise<number> {
    return this.rows.countOutdated(this.vault.currentKeyId);
  }

  rewrapBatch(limit: number): Promise<number> {
    return this.work.run(async (tx) => {
      const outdated = await this.rows.lockOutdated(this.vault.currentKeyId, limit, tx);
      if (outdated.length === 0) return 0;
      const rewrapped = await Promise.all(
        outdated.map(async (row) => ({ ...row, ...(await this.seal.rewrap(row.sealedBody, row)) })),
      );
      return this.rows.replace(rewrapped, tx);
    });
  }
}
