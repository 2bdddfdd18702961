import { Injectable } from '@nestjs/common';
import { Database } from '../../database/index.js';
import { AccessControlRow } from './global-wallet.entity.js';
import { SwitchedRepository, switching } from './switched.repository.js';

const SWITCH = switching('globalWalletAccessControls.switch', 'global_wallet_access_controls');

/** Access controls of global wallets. Their sites change only while this row is locked. */
@Injectable()
export class AccessControlsRepository extends SwitchedRepository<AccessControlRow> {
  constructor(database: Database) {
    super(database, AccessControlRow, SWITCH);
  }
}
