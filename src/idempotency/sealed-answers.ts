import { Injectable } from '@nestjs/common';
import { UnitOfWork, type Transaction } from '../database/index.js';
import { KeyVault, SealedRecordsRegistry, SealedTable } from '../vault/index.js';
import { AnswerSeal } from './answer-seal.js';
import { SealedAnswersRepository, type SealedRow } from './sealed-answers.repository.js';

/** Answers that are kept, as the rotation of the master key sees them. */
@Injectable()
export class SealedAnswers extends SealedTable<Transaction, SealedRow> {
  readonly name = 'idempotency_keys.sealed_body';

  constructor(
    rows: SealedAnswersRepository,
    private readonly seal: AnswerSeal,
    vault: KeyVault,
    work: UnitOfWork,
    registry: SealedRecordsRegistry,
  ) {
    super({ rows, vault, work, registry });
  }

  protected override async rewrap(row: SealedRow): Promise<SealedRow> {
    return { ...row, ...(await this.seal.rewrap(row.sealedBody, row)) };
  }
}
