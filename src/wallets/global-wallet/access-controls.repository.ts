import { Injectable } from '@nestjs/common';
import { Database } from '../../database/index.js';
import { AccessControlRow } from './global-wallet.entity.js';
import { SwitchedRepository, switching } from './switched.repository.js';

const SWITCH = switching('globalWalletAccessControls.switch', 'global_wallet_access_controls');

/** Which sites global wallets may be connected to. The sites change while this row is held, and only then. */
@Injectable()
export class AccessControlsRepository extends SwitchedRepository<AccessControlRow> {
  constructor(database: Database) {
    super(database, AccessControlRow, SWITCH);
  }
}
