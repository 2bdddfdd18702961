import { Injectable } from '@nestjs/common';
import type { EnvironmentId } from '../../auth/index.js';
import { lockTenant, type Transaction } from '../../database/index.js';

@Injectable()
export class PromotionLocksRepository {
  /** Serialises promotions that read or write one of the environments; locked in a fixed order to avoid deadlocks. */
  async take(environmentIds: readonly EnvironmentId[], tx: Transaction): Promise<void> {
    for (const environmentId of [...environmentIds].sort()) await lockTenant('promotion', environmentId, tx);
  }
}
