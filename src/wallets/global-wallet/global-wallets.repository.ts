import { Injectable } from '@nestjs/common';
import { Database } from '../../database/index.js';
import { GlobalWalletRow } from './global-wallet.entity.js';
import { SwitchedRepository, switching } from './switched.repository.js';

const SWITCH = switching('globalWallets.switch', 'global_wallets');

/** The settings of global wallets. */
@Injectable()
export class GlobalWalletsRepository extends SwitchedRepository<GlobalWalletRow> {
  constructor(database: Database) {
    super(database, GlobalWalletRow, SWITCH);
  }
}
