import { Injectable } from '@nestjs/common';
import { KeyVault, SealedRecordsRegistry, SealedTable } from '../vault/index.js';
import { AnswerSeal } from './answer-seal.js';
import { SealedAnswersRepository, type SealedAnswerRow } from './sealed-answers.repository.js';

/** Stored responses as master key rotation sees them. */
@Injectable()
export class SealedAnswers extends SealedTable<SealedAnswerRow> {
  readonly name = 'idempotency_keys.sealed_body';

  constructor(
    rows: SealedAnswersRepository,
    private readonly seal: AnswerSeal,
    vault: KeyVault,
    registry: SealedRecordsRegistry,
  ) {
    super({ rows, vault, registry });
  }

  protected override async rewrap(row: SealedAnswerRow): Promise<SealedAnswerRow> {
    return { ...row, ...(await this.seal.rewrap(row.sealedBody, row)) };
  }
}
