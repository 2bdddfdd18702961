import { Injectable } from '@nestjs/common';
import {
  Database,
  ScopedRepository,
  scopedStatement,
  type EnvironmentId,
  type Transaction,
} from '../../database/index.js';
import { AccessControlRow } from './global-wallet.entity.js';

const SWITCH = scopedStatement(
  'globalWalletAccessControls.switch',
  `UPDATE global_wallet_access_controls SET enabled_at = CASE WHEN $2::boolean THEN now() END, updated_at = now()
   WHERE environment_id = $1 AND (enabled_at IS NOT NULL) <> $2`,
);

/** Which sites global wallets may be connected to: a row for each environment that decides it. */
@Injectable()
export class AccessControlsRepository extends ScopedRepository<AccessControlRow> {
  constructor(database: Database) {
    super(database, AccessControlRow);
  }

  /** Held until the transaction ends, or kept from being made meanwhile. Its sites change under this lock alone. */
  async hold(environmentId: EnvironmentId, tx: Transaction): Promise<AccessControlRow | null> {
    await this.lockTenant(environmentId, tx);
    return this.lock(environmentId, {}, tx);
  }

  /** False when it was so already. */
  async switch(environmentId: EnvironmentId, isEnabled: boolean, tx: Transaction): Promise<boolean> {
    return (await tx.execute(SWITCH, [environmentId, isEnabled])) > 0;
  }
}
