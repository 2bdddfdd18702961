import { Injectable } from '@nestjs/common';
import { Database, SealedColumns, type SealedRow } from '../database/index.js';
import { IdempotencyKeyRow } from './idempotency-key.entity.js';

export type SealedAnswerRow = SealedRow<IdempotencyKeyRow, 'environmentId' | 'id', 'sealedBody'>;

/** Sealed responses, for master key rotation. */
@Injectable()
export class SealedAnswersRepository extends SealedColumns<IdempotencyKeyRow, 'environmentId' | 'id', 'sealedBody'> {
  constructor(database: Database) {
    super(database, IdempotencyKeyRow, { key: ['environmentId', 'id'], columns: ['sealedBody'] });
  }
}
