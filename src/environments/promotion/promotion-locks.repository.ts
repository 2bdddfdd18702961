import { Injectable } from '@nestjs/common';
import type { EnvironmentId } from '../../auth/index.js';
import { asSystem, type Transaction } from '../../database/index.js';

const LOCK = asSystem('takes a lock that is named after an environment and touches no row').statement(
  'promotions.lock',
  `SELECT pg_advisory_xact_lock(hashtextextended('promotion of ' || $1::text, 0))`,
);

@Injectable()
export class PromotionLocksRepository {
  /** Promotions that read or write one of the environments queue; in one order, so that none waits for each other. */
  async take(environmentIds: readonly EnvironmentId[], tx: Transaction): Promise<void> {
    for (const environmentId of [...environmentIds].sort()) await tx.execute(LOCK, [environmentId]);
  }
}
