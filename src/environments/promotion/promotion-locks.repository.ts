import { Injectable } from '@nestjs/common';
import type { EnvironmentId } from '../../auth/index.js';
import { lockTenant, type Transaction } from '../../database/index.js';

@Injectable()
export class PromotionLocksRepository {
  /** Promotions that read or write one of the environments queue; in one order, so that none waits for each other. */
  async take(environmentIds: readonly EnvironmentId[], tx: Transaction): Promise<void> {
    for (const environmentId of [...environmentIds].sort()) await lockTenant('promotion', environmentId, tx);
  }
}
