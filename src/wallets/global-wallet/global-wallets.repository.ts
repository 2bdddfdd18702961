import { Injectable } from '@nestjs/common';
import {
  Database,
  ScopedRepository,
  scopedStatement,
  type EnvironmentId,
  type Transaction,
} from '../../database/index.js';
import { GlobalWalletRow } from './global-wallet.entity.js';

const SWITCH = scopedStatement(
  'globalWallets.switch',
  `UPDATE global_wallets SET enabled_at = CASE WHEN $2::boolean THEN now() END, updated_at = now()
   WHERE environment_id = $1 AND (enabled_at IS NOT NULL) <> $2`,
);

/** The settings of global wallets: a row for each environment that has one. */
@Injectable()
export class GlobalWalletsRepository extends ScopedRepository<GlobalWalletRow> {
  constructor(database: Database) {
    super(database, GlobalWalletRow);
  }

  /** Held until the transaction ends, or kept from being made meanwhile. */
  async hold(environmentId: EnvironmentId, tx: Transaction): Promise<GlobalWalletRow | null> {
    await this.lockTenant(environmentId, tx);
    return this.lock(environmentId, {}, tx);
  }

  /** False when it was so already. */
  async switch(environmentId: EnvironmentId, isEnabled: boolean, tx: Transaction): Promise<boolean> {
    return (await tx.execute(SWITCH, [environmentId, isEnabled])) > 0;
  }
}
