import { Injectable } from '@nestjs/common';
import { oldRows } from '../database/index.js';
import { PurgeJob } from '../queue/index.js';
import { IdempotencyKeyRow } from './idempotency-key.entity.js';

/** Removes responses older than a day. */
@Injectable()
export class IdempotencyPurge extends PurgeJob {
  protected readonly name = 'idempotency.purge';
  protected readonly old = [oldRows(IdempotencyKeyRow, 'expiresAt')];
}
